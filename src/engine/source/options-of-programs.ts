/** What an option of a program can do, so that a finding names one that its program has. */

const harmful: readonly (readonly [command: RegExp, option: string])[] = [
  [/^git (?:clone|fetch|pull|ls-remote|fetch-pack)\b/, '--upload-pack=…'],
  [/^git (?:push|send-pack)\b/, '--receive-pack=…'],
  [/^git (?:diff|log|show|format-patch|archive|shortlog)\b/, '--output=…'],
  [/^git (?:rebase)\b/, '--exec=…'],
  [/^git grep\b/, '--open-files-in-pager=…'],
  [/^tar\b/, '--checkpoint-action=exec=…'],
  [/^(?:ssh|scp|sftp)\b/, '-oProxyCommand=…'],
  [/^rsync\b/, '--rsh=…'],
  [/^curl\b/, '--output …'],
  [/^wget\b/, '--output-document=…'],
  [/^find\b/, '-delete'],
  [/^kubectl\b/, '--server=…'],
  [/^helm\b/, '--post-renderer=…'],
  [/^(?:docker|podman) (?:run|create)\b/, '--privileged'],
  [/^(?:npm|npx)\b/, '--script-shell=…'],
  [/^zip\b/, '--unzip-command=…'],
];

/**
 * An option that does harm, to be put into a sentence; empty where none is known.
 * @param command the program and its first word, as `git clone`
 */
export function exampleOf(command: string | undefined): string {
  const option = command === undefined ? undefined : harmful.find(([known]) => known.test(command))?.[1];
  return option === undefined ? '' : `, such as ${option},`;
}
