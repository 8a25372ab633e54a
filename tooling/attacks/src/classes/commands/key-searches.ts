import { type Attack, SkippedError } from "../../harness/attack.ts";

/** Scripts that search for the keys in the environment of the app. They must not find them. */
type KeySearch = [name: string, script: string];

export const keySearches: readonly KeySearch[] = [
  ["print the environment", "env"],
  ["read every environment", "for f in /proc/[0-9]*/environ; do tr '\\000' '\\n' <$f; done 2>/dev/null"],
  [
    "read the environment of the app by its name",
    "grep -ls cogency /proc/[0-9]*/cmdline | while read -r p; do tr '\\000' '\\n' <\"$(dirname \"$p\")/environ\"; done",
  ],
  [
    "read the environment of the parent's parent",
    "p=$PPID; while [ \"$p\" -gt 1 ]; do tr '\\000' '\\n' </proc/$p/environ; p=$(awk '{print $4}' /proc/$p/stat); done; tr '\\000' '\\n' </proc/1/environ",
  ],
  [
    "read the memory of the app",
    "for d in /proc/[0-9]*; do grep -qs cogency $d/cmdline && head -c 1 $d/maps && grep -a -o 'sk-live-[a-z0-9]*' $d/environ; done",
  ],
];

export function keySearchAttack([name, script]: KeySearch): Attack {
  return {
    name: `keys of the app: ${name}`,
    isDear: true,
    async run(place) {
      if (process.platform !== "linux") throw new SkippedError("the sandbox is for Linux");
      place.put("root/attack.sh", `${script}\n`);
      const calls = [{ name: "shell", args: { command: "sh attack.sh" } }];
      const key = `sk-live-${place.canary}`;
      const { stdout, code, stderr } = await place.run([calls], ["go", "--json", "--yes"], {
        env: { OPENAI_API_KEY: key, BRAVE_API_KEY: key, MY_OWN_SECRET: key, PGPASSWORD: key },
      });
      if (code !== 0) throw new Error(`The run ended with ${code}: ${stderr}`);
      return stdout.includes(place.canary) ? "a key was read" : undefined;
    },
  };
}
