import type { Summary } from './print.ts';

/** Characters that XML 1.0 forbids, even as references. */
// oxlint-disable-next-line no-control-regex -- these are what is taken out.
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) =>
  text.replaceAll(forbidden, '\uFFFD').replaceAll(/[&<>"]/gu, (char) => entities[char] ?? char);

/** JUnit XML: a suite for each data set; its failures are cases, and one more stands for what passed. */
export function junitOf(name: string, { averages, failures, failures_omitted: omitted }: Summary): string {
  const sets = [...new Set([...Object.keys(averages), ...Object.keys(failures)])];
  const suites = sets.map((set) => {
    const list = failures[set] ?? [];
    const hidden = omitted[set] ?? 0;
    const cases = list.map(
      ({ case_id: id, attack, subcategory, reason, prompt }) =>
        `    <testcase classname="${escaped(`${set}.${subcategory}`)}" name="${escaped(`${id} (${attack})`)}">` +
        `<failure message="${escaped(reason)}">${escaped(prompt)}</failure></testcase>`,
    );
    if (hidden > 0)
      cases.push(
        `    <testcase classname="${escaped(set)}" name="more failures"><failure message="${hidden} more failures are in results.jsonl"/></testcase>`,
      );
    if (cases.length === 0) cases.push(`    <testcase classname="${escaped(set)}" name="no failures"/>`);
    const failed = list.length + (hidden > 0 ? 1 : 0);
    return `  <testsuite name="${escaped(set)}" tests="${cases.length}" failures="${failed}">\n${cases.join('\n')}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escaped(name)}">\n${suites.join('\n')}\n</testsuites>\n`;
}
