/** What a keyword filter does: it flags a text that has one of its words or phrases, as whole words, in any case. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Orders to leave earlier instructions, in the forms that such filters list. */
function overridePhrases(): string[] {
  const verbs = ['ignore', 'disregard', 'forget', 'skip', 'bypass', 'override', 'do not follow', 'neglect'];
  const whose = ['', 'all ', 'any ', 'the ', 'your ', 'my ', 'these '];
  const earlier = ['', 'previous ', 'prior ', 'above ', 'earlier ', 'preceding ', 'former ', 'initial '];
  const things = ['instructions', 'instruction', 'rules', 'directions', 'commands', 'guidelines', 'prompt'];
  const orders = verbs.flatMap((verb) =>
    whose.flatMap((of) => earlier.flatMap((when) => things.map((thing) => `${verb} ${of}${when}${thing}`))),
  );
  const all = verbs.flatMap((verb) => [
    `${verb} all previous`,
    `${verb} everything above`,
    `${verb} the above`,
  ]);
  const roles = [
    'jailbreak',
    'dan mode',
    'developer mode',
    'do anything now',
    'system prompt',
    'no restrictions',
  ];
  return [...orders, ...all, ...roles];
}

/** @param file JSON lines with `term`, compressed */
export function readTerms(file: string): string[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean);
  const terms = lines.map((line) => (JSON.parse(line) as { term: string }).term.toLowerCase());
  return [...new Set([...terms, ...overridePhrases()])].filter((term) => term.length > 1);
}

/** Words and phrases up to five words, looked up in a set: as fast as such a filter gets. */
export function wordFilter(terms: readonly string[]): (text: string) => boolean {
  const wanted = new Set(terms.map((term) => term.replaceAll(/\s+/g, ' ')));
  const longest = Math.max(...terms.map((term) => term.split(' ').length));
  return (text) => {
    const words = text.toLowerCase().split(/[^\p{L}\p{N}@$'’*-]+/u);
    for (let at = 0; at < words.length; at++) {
      let phrase = words[at] ?? '';
      for (let more = 1; more <= longest; more++) {
        if (wanted.has(phrase)) return true;
        phrase += ` ${words[at + more] ?? ''}`;
      }
    }
    return false;
  };
}
