/** Options of programs whose next word is their value, whatever it begins with. */

const takesValue =
  /^-[meCnofigFtup]$|^--(?!(?:oneline|all|all-namespaces|stat|no-[\w-]+|porcelain|cached|staged|name-only|name-status|numstat|shortstat|decorate|quiet|verbose|silent|force|hard|soft|mixed|bare|recursive|version|help|json|yes|dry-run|rm|detach|follow|global|install|upgrade|wait|graph|patch|raw|batch|mirror|tags|prune|branches|remotes|merges|reverse|first-parent|single-branch|progress|ignore-case|line-number|hidden|fixed-strings|files-with-matches|fail|location|insecure|compressed|archive|delete|human-readable|interactive|tty|save|save-dev|pre|check|fix|strict|offline|frozen-lockfile|recurse-submodules|stats|checksum|partial|inplace|compress|verify|numeric-ids|one-file-system|hard-links|relative|existing|ignore-existing|remove-source-files|sparse|extract-audio|restrict-filenames|print-json|dump-json|dump-single-json|flat-playlist|list-formats|simulate|standalone|self-contained|embed-resources|sandbox|headless|disable-gpu|only-matching|count|multiline|word-regexp|invert-match|case-sensitive|smart-case|summary|force-reinstall|editable|keep-going|newline)$)[a-z][\w-]*$/;

/** Options of one letter that take no value, by program. */
const flags: readonly (readonly [program: RegExp, option: RegExp])[] = [
  // Lines are numbered by `-n` and shown in part by `-o`.
  [/^(?:[efz]?grep|rg|ag|ack)$/, /^-[noiF]$/],
  [/^git$/, /^-[pfui]$/],
  [/^nmap$/, /^-[Fn]$/],
  [/^(?:ls|cp|mv|rm|ln|cat|wc|du|stat|chmod|chown|rsync|unzip|xargs)$/, /^-[fginoptuF]$/],
  [/^curl$/, /^-[fign]$/],
  [/^(?:npm|pnpm|yarn)$/, /^-[gf]$/],
  [/^sed$/, /^-[ni]$/],
  [/^ssh$/, /^-[tnfg]$/],
  [/^scp$/, /^-p$/],
  [/^make$/, /^-[nite]$/],
  [/^sort$/, /^-[nugfim]$/],
  [/^(?:systemctl|journalctl)$/, /^-[fe]$/],
];

/** Programs whose options are words behind one dash, such as `-ss 10` of ffmpeg. */
const longOptions = /(?:^|\/)(?:ffmpeg|ffprobe|magick|convert|find|openssl|xcodebuild|java|terraform)$/;

const nameOf = (program: string): string => program.slice(program.lastIndexOf('/') + 1);

/** Which word decides what the options of git mean. */
const isSearchOfGit = (program: string, words: readonly unknown[]): boolean =>
  nameOf(program) === 'git' && words.slice(0, 2).includes('grep');

/** Whether an option of a program waits for a value; `words` begin with the program or with its first word. */
export function waitsForWord(option: string, program: string, words: readonly unknown[] = []): boolean {
  if (longOptions.test(program) && /^-[a-z]/i.test(option)) return true;
  const name = isSearchOfGit(program, words) ? 'grep' : nameOf(program);
  const isFlag = flags.some(([of, known]) => of.test(name) && known.test(option));
  return !isFlag && takesValue.test(option);
}
