/** Whether a system may take a name for `.git`, the folder of a repository or the file that says where it is. */
export function isGit(name: string): boolean {
  return GIT.test(name.replace(IGNORED_BY_HFS, ""));
}

// NTFS drops spaces and dots at the end, and takes a short name and the name of a stream.
const GIT = /^(?:\.git|git~\d)[ .]*(?::.*)?$/i;
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
