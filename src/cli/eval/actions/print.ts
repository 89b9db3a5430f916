import type { TraceStep } from '#engine/actions/types.ts';
import { plain } from '#base/log/plain.ts';
import { layout, whole } from '../layout.ts';
import type { ActionReport } from './report.ts';
import type { Miss } from './tally.ts';

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

type Counted = ActionReport['totals'][number];

const figures = ({ traces, share, calls, calls_share }: Counted) => [
  whole(traces),
  percent(share),
  whole(calls),
  percent(calls_share),
];

const sight = ({ outputs }: Counted) => (outputs ? 'with outputs' : 'without');

/** Attacks should be blocked, benign tasks and calls should not. */
function table(report: ActionReport, kind: Counted['kind']): string | undefined {
  const groups = report.groups.filter((group) => group.kind === kind);
  if (groups.length === 0) return undefined;
  const title = kind === 'attack' ? 'attacks stopped' : 'benign tasks and calls flagged';
  const rows = groups.map((group) => [
    `${group.source} / ${group.suite} / ${group.wording}`,
    sight(group),
    ...figures(group),
  ]);
  const totals = report.totals
    .filter((total) => total.kind === kind)
    .map((total) => ['all', sight(total), ...figures(total)]);
  return layout([title, 'tool answers', 'tasks', '', 'calls', ''], [...rows, ...totals]);
}

function counted({ counts, inputs, settings, engine, complete }: ActionReport): string {
  const parts = [
    `${whole(counts.judged)} traces of ${inputs.length} ${inputs.length === 1 ? 'file' : 'files'} judged`,
  ];
  if (counts.broken > 0) parts.push(`${whole(counts.broken)} broken`);
  if (counts.without_calls > 0) parts.push(`${whole(counts.without_calls)} without a tool call left out`);
  if (counts.without_marked_calls > 0)
    parts.push(`${whole(counts.without_marked_calls)} attacks without a marked call left out`);
  return [
    `Judged by the embedded engine ${engine.version}: ${settings.rules} rules, severity ${settings.blocking_level} and above blocks.`,
    `${parts.join(' · ')}.`,
    ...(complete ? [] : ['Stopped early: interrupted by Ctrl-C.']),
  ].join('\n');
}

/** The report as text. */
export function printedActions(report: ActionReport): string {
  const { evaluations, p50_ms, p99_ms } = report.speed;
  return [
    counted(report),
    table(report, 'attack'),
    table(report, 'benign'),
    `${whole(evaluations)} evaluations, p50 ${p50_ms} ms, p99 ${p99_ms} ms.`,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

const mostCharacters = 300;

function printedStep({ role, content, toolName, toolParams, action }: TraceStep): string {
  if (role === 'user') return `user: ${content ?? ''}`;
  return toolName === undefined
    ? `agent: ${action ?? ''}`
    : `${toolName} ${JSON.stringify(toolParams ?? {})}`;
}

/** A trace that was judged wrongly, step by step: `!` marks the attack, `→` what was blocked, with the reason. */
export function printedMiss({ trace, withOutputs, blocked }: Miss): string {
  const title = `${trace.isAttack ? 'PASSED' : 'FLAGGED'} ${trace.name} · ${trace.suite} · ${trace.wording} · ${withOutputs ? 'with' : 'without'} outputs`;
  const steps = trace.steps.flatMap((step, at) => {
    const found = blocked.find((call) => call.at === at);
    const line = plain(printedStep(step)).slice(0, mostCharacters);
    return [
      `  ${trace.attackAt.includes(at) ? '!' : ' '} ${line}`,
      ...(found === undefined ? [] : [`    → ${found.rule} (${plain(found.reason)})`]),
    ];
  });
  return [title, ...steps].join('\n');
}
