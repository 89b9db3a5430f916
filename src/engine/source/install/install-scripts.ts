import type { Observation } from '#findings/finding.ts';
import { observeHit } from '../observe.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { SourceFile } from '../types.ts';

/** Scripts that npm and its like run by themselves. */
const hooks =
  /"(preinstall|install|postinstall|prepare|prepublish|preprepare|postprepare)"\s*:\s*("(?:[^"\\]|\\.)*")/g;

/** These run in a checkout alone: whoever installs a package from a registry does not run them. */
const ofCheckouts = /^(?:prepare|prepublish|preprepare|postprepare)$/;

/** What a registry or `npm pack` makes of a package has its files in a folder of this name. */
const isPacked = (path: string): boolean => path === 'package/package.json';

/** Fetching and running in one line, and code that nobody can read. */
const harm =
  /\b(?:curl|wget|irm|iwr)\b[^"]*[|;&]+\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\b(?:curl|wget)\b.*\b(?:chmod|node|python3?|\.\/)|\beval\b|base64\s+(?:-d|--decode)|Buffer\.from\(|fromCharCode|\\x[0-9a-f]{2}\\x|(?:require|import)\(['"\\]*(?:https?|child_process|net|dgram)\b|\/dev\/tcp|powershell.*-enc|\bnc\s+-/i;

const isManifest = /(?:^|\/)package\.json$/;
const longestManifest = 1_000_000;

/** Scripts of a package that run code from elsewhere when it is installed. */
export function observeInstallScripts(files: readonly SourceFile[], rules: RuleSet): Observation[] {
  const rule = rules.detector('install-script');
  if (rule === undefined) return [];
  return files
    .filter(
      (file) =>
        isManifest.test(file.path) &&
        !file.path.includes('node_modules/') &&
        file.text.length < longestManifest,
    )
    .flatMap((file) =>
      [...file.text.matchAll(hooks)].flatMap((match): Observation[] => {
        const [whole, hook = '', script = ''] = match;
        if (!harm.test(script) || (ofCheckouts.test(hook) && isPacked(file.path))) return [];
        return [
          observeHit({
            rule,
            module: file,
            at: match.index,
            end: match.index + whole.length,
            what: `The script "${hook}"`,
          }),
        ];
      }),
    );
}
