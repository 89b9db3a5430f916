/** The verdicts on the texts of tools, and the findings that they are. */
import { yieldToEventLoop } from '#base/yield-to-event-loop.ts';
import {
  checkTool,
  type DescriptionIssue,
  type TextJudge,
  type ToolVerdict,
} from '#engine/descriptions/check-tool.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { FrameworkRef, Observation } from '#findings/finding.ts';
import { keyOf } from '#findings/fingerprint.ts';
import type { Severity } from '#findings/severity.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { openLanguageJudge } from './language-judge.ts';
import type { ScannedTool, TextGuardItem, Usage } from './result.ts';

/** The embedded engine's detector of prompt injection. */
export function engineJudge(engine: TextEngine): TextJudge {
  const detector = engine.compile({
    name: 'Prompt injection and instruction override',
    description: '',
    blockActivities: [],
    safeActivities: [],
    detector: 'prompt-injection',
  });
  return async (text) => {
    const analysis = await engine.analyseInTurns(text.slice(0, 100_000));
    const score = engine.score(analysis, detector);
    const reason = engine.explain(analysis, [{ name: 'prompt injection', score }]);
    return { probability: score.probability, reason: reason ?? 'It reads like instructions to the agent.' };
  };
}

const titles: Record<DescriptionIssue['code'], string> = {
  E001: 'A description gives orders to the agent',
  E002: 'A description reaches for other tools',
  W001: 'A description has suspicious words',
  W021: 'A description has hidden characters',
  W025: 'A name mixes letters of several scripts',
};

const frameworks: Record<DescriptionIssue['code'], FrameworkRef[]> = {
  E001: [
    { framework: 'cwe', id: 'CWE-1427' },
    { framework: 'owasp-mcp', id: 'MCP03:2025' },
  ],
  E002: [
    { framework: 'cwe', id: 'CWE-1427' },
    { framework: 'owasp-mcp', id: 'MCP03:2025' },
  ],
  W001: [{ framework: 'owasp-mcp', id: 'MCP03:2025' }],
  W021: [
    { framework: 'cwe', id: 'CWE-451' },
    { framework: 'owasp-mcp', id: 'MCP03:2025' },
  ],
  W025: [
    { framework: 'cwe', id: 'CWE-1007' },
    { framework: 'owasp-mcp', id: 'MCP03:2025' },
  ],
};

function severityOf({ code, score }: DescriptionIssue, { isCertain }: ToolVerdict): Severity {
  // Most of the others are harmless on public servers: a person is to look, and no pipeline stops.
  if ((code === 'E001' || code === 'E002') && !isCertain) return 'medium';
  if (code === 'E001') return score >= 0.8 ? 'critical' : score >= 0.6 ? 'high' : 'medium';
  if (code === 'E002') return 'high';
  if (code === 'W025') return 'medium';
  if (code === 'W021') return score >= 0.9 ? 'high' : score >= 0.5 ? 'medium' : 'low';
  return 'low';
}

const remedies: Record<DescriptionIssue['code'], string> = {
  E001: 'Do not let an agent see this tool until its description says only what the tool does.',
  E002: 'Keep this server apart from the other, or leave it out; a tool’s description has no business with other tools.',
  W001: 'Read the whole description: it should say what the tool does, and nothing to the agent.',
  W025: 'Write the name in the letters of one script, and look which tool it could be taken for.',
  W021: 'Take the characters out; nobody needs them in a description, and models read them.',
};

const issueOf = (tool: ScannedTool, issue: DescriptionIssue, verdict: ToolVerdict): Observation => ({
  rule: issue.code,
  title: titles[issue.code],
  description: `The ${tool.kind} ${tool.name}: ${issue.says}`,
  severity: severityOf(issue, verdict),
  confidence: issue.score >= 0.8 ? 'high' : issue.score >= 0.5 ? 'medium' : 'low',
  subject: tool.name,
  evidence: issue.quote,
  remedy: remedies[issue.code],
  tags: ['description', issue.category],
  frameworks: frameworks[issue.code],
  ...(tool.path !== undefined && {
    location: {
      path: tool.path,
      ...(tool.line !== undefined && { startLine: tool.line, endLine: tool.line }),
    },
  }),
});

/** A suppression is of these words: where anything else of the definition changes, it is to be looked at again. */
function observationOf(tool: ScannedTool, issue: DescriptionIssue, verdict: ToolVerdict): Observation {
  const observation = issueOf(tool, issue, verdict);
  return { ...observation, fingerprintKey: keyOf(observation, () => Object.values(tool.hashes).join(' ')) };
}

export interface JudgedTools {
  observations: Observation[];
  textguard: TextGuardItem[];
  usage: Usage;
  /** What could not be judged as configured. */
  notes: string[];
}

/** Below this, a single suspicious word is no finding. */
const worthTelling = 0.4;

export interface JudgeOptions {
  judge: TextJudge | undefined;
  /** Named beside its verdicts. */
  model: string;
  /** Asked rather than the judge, where one is configured. */
  language?: LanguageModel | undefined;
  otherTools?: readonly { server: string; name: string }[];
  signal?: AbortSignal | undefined;
}

/** One tool after the other: the engine works in this thread. */
export async function judgeTools(tools: readonly ScannedTool[], options: JudgeOptions): Promise<JudgedTools> {
  const observations: Observation[] = [];
  const textguard: TextGuardItem[] = [];
  const notes: string[] = [];
  const { judge, model, language, signal } = options;
  const languageJudge = language && openLanguageJudge(language, { judge, model }, signal);
  for (const tool of tools) {
    signal?.throwIfAborted();
    await yieldToEventLoop();
    let judgedBy = model;
    const verdict: ToolVerdict = await checkTool(tool, {
      judge:
        languageJudge === undefined
          ? judge
          : async (text) => {
              const judged = await languageJudge.judge(text);
              judgedBy = judged?.model ?? model;
              return judged;
            },
      otherTools: options.otherTools,
    });
    textguard.push({
      toolName: tool.name,
      kind: tool.kind,
      flagged: verdict.flagged,
      categories: verdict.categories,
      categoryScores: verdict.categoryScores,
      explanation: verdict.explanation,
      model: judgedBy,
      description: tool.description,
    });
    notes.push(...verdict.notes);
    const told = new Set<string>();
    for (const issue of verdict.issues.toSorted((a, b) => b.score - a.score)) {
      if (issue.score < worthTelling || told.has(issue.code)) continue;
      told.add(issue.code);
      observations.push(observationOf(tool, issue, verdict));
    }
  }
  return {
    observations,
    textguard,
    usage: languageJudge?.usage() ?? { promptTokens: 0, completionTokens: 0 },
    notes: [...notes, ...(languageJudge?.notes() ?? [])],
  };
}
