/**
 * Measures the time to create the PDF of a report of 500 findings, each with evidence and a path, with charts and a
 * table of all cases, against the limit of ten seconds; and of a report of a tenth of the size, to show that time
 * grows linearly.
 *
 * `node bench/reports.ts [findings]`; exits with 1 if the limit is exceeded.
 */
import type { Block, ReportDocument, Severity } from '../src/reports/document.ts';
import { renderReport } from '../src/reports/render-report.ts';

const findings = Number(process.argv[2] ?? 500);
const limitSeconds = 10;
const severities: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];
const words = 'The tool takes a name from its caller and hands it to a shell without a check of any kind. ';

const finding = (i: number): Block => ({
  kind: 'finding',
  finding: {
    title: `Finding ${i}: a parameter of the tool reaches a command`,
    severity: severities[i % severities.length] ?? 'info',
    tags: ['CWE-78', 'MCP05:2025', 'confidence high'],
    facts: [{ name: 'Where', value: `src/tools/tool-${i}.ts:${i}:7` }],
    description: words.repeat(1 + (i % 4)),
    evidence: Array.from(
      { length: 6 + (i % 8) },
      (_, line) => `  const value${line} = read(input, ${i});`,
    ).join('\n'),
    steps: [
      { where: `src/tools/tool-${i}.ts:3:5`, text: 'source: parameter of the tool' },
      { where: `src/tools/tool-${i}.ts:${i}:7`, text: 'sink: execSync \u202E hidden 漢字' },
    ],
    remedy: 'Use a list of arguments, and a list of allowed values.',
  },
});

const documentOf = (count: number): ReportDocument => ({
  title: `Report of ${count} findings`,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  blocks: [
    {
      kind: 'section',
      title: 'Summary',
      blocks: [
        { kind: 'summary', figures: [{ label: 'Findings', value: String(count) }] },
        {
          kind: 'chart',
          chart: {
            kind: 'bars',
            title: 'By severity',
            bars: severities.map((label) => ({ label, value: count / severities.length })),
          },
        },
      ],
    },
    {
      kind: 'section',
      title: 'All cases',
      blocks: [
        {
          kind: 'table',
          columns: [{ title: 'Case', mono: true }, { title: 'What', share: 4 }, { title: 'Verdict' }],
          rows: Array.from({ length: count }, (_, i) => [
            `case-${i}`,
            words,
            { text: 'failed', tone: 'flag' },
          ]),
        },
      ],
    },
    { kind: 'section', title: 'Findings', blocks: Array.from({ length: count }, (_, i) => finding(i)) },
  ],
});

async function measured(count: number): Promise<number> {
  const started = performance.now();
  const processor = process.cpuUsage();
  const bytes = await renderReport(documentOf(count), { timeoutMs: 300_000 });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(processor);
  const busy = (user + system) / 1e6;
  console.log(
    `${String(count).padStart(5)} findings ${seconds.toFixed(2).padStart(7)} s (processor ${busy.toFixed(2)} s) ${(bytes.length / 1e6).toFixed(2)} MB`,
  );
  return seconds;
}

const [small, large] = [await measured(Math.ceil(findings / 10)), await measured(findings)];
console.log(
  `${(large / limitSeconds).toFixed(2)} of ${limitSeconds} s; ${(large / small).toFixed(1)} times the time for 10 times the findings`,
);
process.exitCode = large > limitSeconds ? 1 : 0;
