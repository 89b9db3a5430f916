/**
 * What a tool says of itself reaches an agent before its first call and is read like an instruction. This looks for
 * text that is meant for the model and not for its user: without a language model, the same answer every time.
 */
import type { DescriptionFinding } from './finding.ts';
import { type Signal, signals } from './signals.ts';
import { plainViews, type View } from './views.ts';

export interface DescriptionVerdict {
  /** True from one finding of high severity, or two of medium. */
  isFlagged: boolean;
  findings: DescriptionFinding[];
}

const quoteAround = (text: string, at: number, length: number): string =>
  text
    .slice(Math.max(0, at - 20), at + Math.min(length, 160) + 20)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 200);

/** Longer texts are looked at in their first and last part. */
const longestText = 20_000;

/** What one signal finds in a view of the text. */
function findIn(view: View, signal: Signal): DescriptionFinding | undefined {
  const { text, hiddenAs } = view;
  const match = signal.pattern.exec(text);
  if (match === null) return undefined;
  const around = text.slice(Math.max(0, match.index - 60), match.index + match[0].length + 40);
  if (signal.unless?.test(around) === true) return undefined;
  const { code, category, severity, explanation } = signal;
  return {
    code,
    category,
    // What was hidden was hidden on purpose.
    severity: hiddenAs === undefined || severity === 'low' ? severity : 'high',
    explanation,
    quote: quoteAround(text, match.index, match[0].length),
    ...(hiddenAs === undefined ? {} : { hiddenAs }),
  };
}

/**
 * Whether a tool's description, or that of one of its arguments, speaks to the model behind its user's back.
 *
 * @param text what the tool says of itself; several texts of one tool may be joined by empty lines
 */
export function checkDescription(text: string): DescriptionVerdict {
  const half = longestText / 2;
  const { views, hidden } = plainViews(
    text.length <= longestText ? text : `${text.slice(0, half)}\n${text.slice(-half)}`,
  );
  const findings = hidden.map(({ what, quote, isSerious }): DescriptionFinding => ({
    code: 'W021',
    category: 'Hidden Text',
    severity: isSerious ? 'high' : 'medium',
    explanation: `has ${what}`,
    quote,
    hiddenAs: what,
  }));
  for (const signal of signals) {
    const found = views.map((view) => findIn(view, signal)).find((each) => each !== undefined);
    if (found !== undefined) findings.push(found);
  }
  const of = (severity: string) => findings.filter((each) => each.severity === severity).length;
  return { isFlagged: of('high') > 0 || of('medium') > 1, findings };
}
