import type { Script } from "./script.ts";

/** Scripts that open connections past the proxy. */
export const networkScripts: readonly Script[] = [
  ["connect by curl", ({ port }) => `curl -sm 3 http://127.0.0.1:${port}/`],
  ["connect by wget", ({ port }) => `wget -qT 3 -t 1 -O - http://127.0.0.1:${port}/`],
  ["connect by bash", ({ port }) => `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}'`],
  ["connect by perl", ({ port }) => `perl -MIO::Socket -e 'IO::Socket::INET->new("127.0.0.1:${port}")'`],
  [
    "connect by node",
    ({ port }) =>
      `node -e 'require("net").connect(${port},"127.0.0.1").on("error",()=>{}).on("connect",()=>process.exit())'`,
  ],
  [
    "connect by another address of this machine",
    ({ port }) =>
      `curl -sm 3 http://127.1:${port}/ http://0.0.0.0:${port}/ http://[::ffff:127.0.0.1]:${port}/ http://2130706433:${port}/`,
  ],
  [
    "connect past any proxy",
    ({ port }) => `env -u http_proxy -u HTTP_PROXY -u ALL_PROXY curl --noproxy '*' -sm 3 http://127.0.0.1:${port}/`,
  ],
  [
    "connect through the proxy of the environment",
    ({ port }) =>
      `curl -sm 3 -x "$HTTP_PROXY" http://127.0.0.1:${port}/; curl -sm 3 -p -x "$HTTPS_PROXY" http://127.0.0.1:${port}/`,
  ],
  [
    "ask the proxy for a tunnel by itself",
    ({ port }) =>
      `p="\${HTTPS_PROXY#http://}"; printf 'CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\nHost: allowed.example\\r\\n\\r\\n' | timeout 3 bash -c "exec 3<>/dev/tcp/\${p%:*}/\${p#*:}; cat >&3; head -c 20 <&3"`,
  ],
  [
    "ask the proxy under an allowed name",
    ({ port }) => `curl -sm 3 -x "$HTTP_PROXY" -H 'Host: allowed.example' http://127.0.0.1:${port}/`,
  ],
  [
    "ask the proxy with an allowed name as the user",
    ({ port }) => `curl -sm 3 -x "$HTTP_PROXY" http://allowed.example@127.0.0.1:${port}/`,
  ],
  ["send a datagram", ({ udpPort }) => `bash -c 'echo mine >/dev/udp/127.0.0.1/${udpPort}'`],
  [
    "connect to a socket file",
    ({ socket }) =>
      `curl -sm 3 --unix-socket ${socket} http://x/; perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer=>"${socket}")'`,
  ],
  [
    "connect to an abstract socket",
    ({ abstractSocket }) =>
      `curl -sm 3 --abstract-unix-socket ${abstractSocket} http://x/; perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0);connect(S,pack("S",1)."\\0${abstractSocket}")'`,
  ],
  [
    "bring an interface up and connect",
    ({ port }) => `ip link set lo up; ip route add default dev lo; curl -sm 3 http://127.0.0.1:${port}/`,
  ],
  [
    "enter the network of a process outside",
    ({ port, victim }) => `nsenter -t ${victim} -n curl -sm 3 http://127.0.0.1:${port}/`,
  ],
];
