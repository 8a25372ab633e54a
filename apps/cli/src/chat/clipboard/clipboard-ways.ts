/** What a program of the clipboard prints: `undefined` if it fails or is not there. */
export type Print = (program: string, args: readonly string[]) => Promise<Uint8Array | undefined>;

/** A program, or two that belong together, that gives what the clipboard holds. */
export interface ClipboardWay {
  /** What has to be on the PATH for it. */
  readonly programs: readonly string[];
  /** The bytes of a picture; undefined if the clipboard holds none. Left out where the program gives texts only. */
  picture?(print: Print): Promise<Uint8Array | undefined>;
  text(print: Print): Promise<Uint8Array | undefined>;
}

interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

/** The ways to the clipboard of this machine, the best one first; none where there is no clipboard, as over SSH. */
export function clipboardWays({ env, platform }: Machine): readonly ClipboardWay[] {
  if (platform === "darwin") return [mac];
  const isWindows = platform === "win32" || env.WSL_DISTRO_NAME || env.WSL_INTEROP;
  return [
    // Under WSL it comes first: programs of Linux see the clipboard of Windows as a text at most.
    ...(isWindows ? [windows] : []),
    ...(env.WAYLAND_DISPLAY ? [wayland] : []),
    ...(env.DISPLAY ? [x11, x11Texts] : []),
  ];
}

const pictureTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/** The best of the types that a program lists, a line each. */
function listedPicture(types: Uint8Array | undefined): string | undefined {
  const listed = new Set(textOf(types).split(/\s+/));
  return pictureTypes.find((type) => listed.has(type));
}

const wayland: ClipboardWay = {
  programs: ["wl-paste"],
  async picture(print) {
    const type = listedPicture(await print("wl-paste", ["--list-types"]));
    return type === undefined ? undefined : print("wl-paste", ["--no-newline", "--type", type]);
  },
  text: (print) => print("wl-paste", ["--no-newline", "--type", "text"]),
};

const x11: ClipboardWay = {
  programs: ["xclip"],
  async picture(print) {
    const of = ["-selection", "clipboard", "-o", "-t"];
    const type = listedPicture(await print("xclip", [...of, "TARGETS"]));
    return type === undefined ? undefined : print("xclip", [...of, type]);
  },
  text: (print) => print("xclip", ["-selection", "clipboard", "-o"]),
};

const x11Texts: ClipboardWay = {
  programs: ["xsel"],
  text: (print) => print("xsel", ["--clipboard", "--output"]),
};

const mac: ClipboardWay = {
  programs: ["pbpaste", "osascript"],
  async picture(print) {
    const written = textOf(await print("osascript", ["-e", "get the clipboard as «class PNGf»"]));
    const [, digits] = /^«data PNGf([0-9A-F]+)»\s*$/.exec(written) ?? [];
    return digits === undefined ? undefined : Buffer.from(digits, "hex");
  },
  text: (print) => print("pbpaste", []),
};

const powershell = (script: string): [string, string[]] => [
  "powershell.exe",
  ["-NoProfile", "-NonInteractive", "-Sta", "-Command", `[Console]::OutputEncoding=[Text.Encoding]::UTF8; ${script}`],
];

const windows: ClipboardWay = {
  programs: ["powershell.exe"],
  async picture(print) {
    const script = [
      "Add-Type -AssemblyName System.Windows.Forms,System.Drawing",
      "$picture=[Windows.Forms.Clipboard]::GetImage()",
      "if($picture){$bytes=New-Object IO.MemoryStream; $picture.Save($bytes,[Drawing.Imaging.ImageFormat]::Png); [Console]::Out.Write([Convert]::ToBase64String($bytes.ToArray()))}",
    ].join("; ");
    const written = textOf(await print(...powershell(script))).trim();
    return /^[A-Za-z0-9+/]+=*$/.test(written) ? Buffer.from(written, "base64") : undefined;
  },
  text: (print) => print(...powershell("[Console]::Out.Write((Get-Clipboard -Raw))")),
};

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : Buffer.from(bytes).toString("utf8");
}
