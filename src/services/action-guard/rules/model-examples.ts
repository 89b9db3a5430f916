/** Examples that a language model gives for a form, run against it: a model that misread the sentence is found out. */
import { z } from 'zod';
import type { ActionEngine, TraceStep } from '#engine/actions/types.ts';
import { judgeableRule } from '#engine/rules/matching/judge-by-form.ts';
import type { Draft } from '#engine/rules/reading/draft.ts';

const text = () => z.string().max(4000);
const params = () => z.record(z.string(), z.unknown());

/** A call with what comes before it. */
export const exampleSchema = z.object({
  user_asks: text().default('').describe('What the user wrote before; may be empty.'),
  earlier_calls: z
    .array(
      z.object({ tool_name: text(), tool_params: params().default({}), tool_output: text().default('') }),
    )
    .max(5)
    .default([]),
  tool_name: text(),
  tool_params: params().default({}),
  user_roles: z.array(text()).max(10).default([]),
  approved_by_roles: z
    .array(text())
    .max(10)
    .default([])
    .describe('Roles of people who approved the call by an operation; empty where nobody did.'),
});

type Example = z.output<typeof exampleSchema>;

/** An example with what the form made of it. */
export interface RunExample {
  readonly toolName: string;
  readonly toolParams: Readonly<Record<string, unknown>>;
  /** What the model says that the sentence wants. */
  readonly expected: 'broken' | 'kept';
  readonly isMet: boolean;
  readonly reason: string | undefined;
}

const stepsOf = (example: Example): TraceStep[] => [
  ...(example.user_asks === '' ? [] : [{ role: 'user' as const, content: example.user_asks }]),
  ...example.earlier_calls.map((call) => ({
    role: 'agent' as const,
    toolName: call.tool_name,
    toolParams: call.tool_params,
    ...(call.tool_output !== '' && { toolOutput: call.tool_output }),
  })),
  { role: 'agent', toolName: example.tool_name, toolParams: example.tool_params },
];

/** Judges the examples by the form of the draft alone. */
export function runExamples(
  engine: ActionEngine,
  draft: Draft,
  { violating, innocent }: { violating: readonly Example[]; innocent: readonly Example[] },
): RunExample[] {
  const rule = judgeableRule({
    ruleId: 'rul_example',
    compiled: draft.compiled,
    form: draft.rule,
    severity: 'High',
    description: '',
  });
  const run = (example: Example, expected: 'broken' | 'kept'): RunExample => {
    const { findings } = engine.evaluate(stepsOf(example), [rule], {
      known: {
        user: { id: 'user', roles: example.user_roles },
        approvals: example.approved_by_roles.map((role) => ({ by: 'somebody else', roles: [role] })),
      },
    });
    const found = findings.find(({ certainty }) => certainty === 'sure');
    return {
      toolName: example.tool_name.slice(0, 200),
      toolParams: example.tool_params,
      expected,
      isMet: (found !== undefined) === (expected === 'broken'),
      reason: found?.reason,
    };
  };
  return [
    ...violating.map((example) => run(example, 'broken')),
    ...innocent.map((example) => run(example, 'kept')),
  ];
}

const leastOfKind = 2;

const areTooFew = (examples: readonly Example[]): boolean =>
  new Set(examples.map((one) => JSON.stringify(one))).size < leastOfKind;

/** Whether there are two different calls of each kind: fewer hardly try a form. */
export const tooFewExamples = ({
  violating,
  innocent,
}: {
  violating: readonly Example[];
  innocent: readonly Example[];
}): string[] =>
  areTooFew(violating) || areTooFew(innocent)
    ? [
        'The language model gave fewer than two different calls that break the sentence, or that keep to it: its form is hardly tried.',
      ]
    : [];

/** What the examples say against the form, a sentence each. */
export const doubtsOf = (examples: readonly RunExample[]): string[] =>
  examples.flatMap(({ isMet, expected, toolName, toolParams }) => {
    if (isMet) return [];
    const call = `${toolName}(${JSON.stringify(toolParams).slice(1, -1).slice(0, 120)})`;
    return [
      expected === 'broken'
        ? `The language model’s own example ${call} breaks the sentence, and the form lets it pass.`
        : `The language model’s own example ${call} keeps to the sentence, and the form forbids it.`,
    ];
  });
