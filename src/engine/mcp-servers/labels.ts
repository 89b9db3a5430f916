/** What a tool can do that matters when tools meet: told from its words, without calling it. */
import { argumentNames, type DescribedTool } from '#engine/descriptions/tool.ts';

export const labelNames = ['untrusted_content', 'private_data', 'public_sink', 'destructive'] as const;
export type Label = (typeof labelNames)[number];

/** Of each label how likely it holds, from 0 to 1. */
export type Labels = Record<Label, number>;

interface Cue {
  label: Label;
  pattern: RegExp;
  score: number;
}

const cues: readonly Cue[] = [
  {
    label: 'untrusted_content',
    score: 0.9,
    pattern:
      /\b(?:fetch|scrap|crawl|brows|download|navigat)\w*\b.{0,40}\b(?:url|web|page|site|internet|html|http)|\bweb[_ -]?search|search(?:es)? (?:the )?(?:web|internet)|\brss\b|\bfeed\b/i,
  },
  {
    label: 'untrusted_content',
    score: 0.8,
    pattern:
      /\b(?:get|read|list|search|fetch|retriev)\w*\b.{0,30}\b(?:e-?mails?|inbox|messages?|issues?|pull requests?|comments?|reviews?|tickets?|posts?|tweets?|channel|thread|slack|discord|transcript|documents?\b|attachment)/i,
  },
  {
    label: 'private_data',
    score: 0.9,
    pattern:
      /\b(?:get|read|list|search|fetch|retriev|query|download|export|access)\w*\b.{0,40}\b(?:e-?mails?|inbox|messages?|contacts?|calendar|files?|documents?|drive|notes?|database|tables?|records?|customers?|invoices?|payments?|patients?|medical|salary|private|repositor(?:y|ies)|secrets?|credentials?|passwords?|vault|clipboard|screenshot|history)/i,
  },
  {
    label: 'private_data',
    score: 0.8,
    pattern:
      /\b(?:execute|run)\w*\b.{0,20}\b(?:sql|query|queries)|\bread[_ ]?(?:file|text|media)|\bselect\b.{0,20}\bfrom\b/i,
  },
  {
    label: 'public_sink',
    score: 0.9,
    pattern:
      /\b(?:send|post|publish|tweet|reply|forward|upload|share|submit|create|add|write)\w*\b.{0,40}\b(?:e-?mails?|messages?|slack|discord|telegram|tweets?|comments?|issues?|pull requests?|gists?|webhooks?|posts?|channel|sms|public)/i,
  },
  {
    label: 'public_sink',
    score: 0.7,
    pattern:
      /\b(?:http|api|web) ?request|\bfetch\w*\b.{0,20}\burl|\b(?:post|put)\b.{0,20}\b(?:url|endpoint)|\bnavigat\w*\b.{0,20}\burl|\bcurl\b/i,
  },
  {
    label: 'destructive',
    score: 0.9,
    pattern:
      /\b(?:delet|remov|drop|destroy|eras|wip|purg|truncat|terminat|uninstall|revok|reset)\w*\b.{0,40}\b(?:files?|director|folder|tables?|records?|database|instance|bucket|repositor|branch|user|account|data|resource|pod|namespace|cluster|volume|item|object|entry|issue|message|page)/i,
  },
  {
    label: 'destructive',
    score: 0.85,
    pattern:
      /\b(?:execute|run|eval)\w*\b.{0,30}\b(?:commands?|shell|bash|script|code|terminal|sql|python|process)|\b(?:transfer|pay|purchas|buy|withdraw|wire)\w*\b.{0,30}\b(?:funds?|money|order|payment|crypto|amount)/i,
  },
  {
    label: 'destructive',
    score: 0.6,
    pattern:
      /\b(?:write|overwrite|edit|move|update|deploy|apply|merge|push)\w*\b.{0,30}\b(?:files?|production|cluster|deployment|repositor|branch|database|configuration)/i,
  },
];

const words = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_\-./]+/g, ' ');

const hint = (annotations: unknown, name: string): boolean | undefined => {
  const value =
    typeof annotations === 'object' && annotations !== null
      ? (annotations as Record<string, unknown>)[name]
      : undefined;
  return typeof value === 'boolean' ? value : undefined;
};

/** The first sentences say what a tool is for; what comes later are arguments and examples. */
const headLength = 400;

const codeArguments = /^(?:command|cmd|shell|code|script)$/i;
const sqlArguments = /^(?:sql|query|statement)$/i;
const readingVerb =
  /^(?:get|list|read|search|find|fetch|query|describe|show|view|explain|check|count|look ?up|retrieve|inspect|analy[sz]e|browse|resolve|status|whoami|ping)\b/i;
const changingVerb =
  /\b(?:delet|remov|drop|destroy|eras|wip|purg|truncat|terminat|uninstall|revok|reset|writ|overwrit|edit|mov|updat|deploy|appl|merg|push|creat|add|set|send|post|publish|execut|run|kill|cancel|transfer|pay)(?:e|es|ing|y|ies|s)?\b/i;

/** Whether a tool says that it runs SQL that only reads. */
const readsOnlySql = ({ description }: DescribedTool) => /\bread[- ]?only\b/i.test(description);

/** The first sentence says what a tool does; what follows may speak of what it does not. */
const firstSentence = (text: string) => /^[^.\n]{0,300}/.exec(text.trim())?.[0] ?? '';

export type Hints = 'none' | 'agree' | 'contradict';

/**
 * What a tool's own hints say against a label, beside its name, first sentence and arguments. A server can say anything of
 * itself, so that a hint counts only where these agree with it.
 */
export function hintsAgainst(tool: DescribedTool, label: Label): Hints {
  if (label !== 'destructive' && label !== 'public_sink') return 'none';
  const reads = hint(tool.annotations, 'readOnlyHint') === true;
  const spares = label === 'destructive' && hint(tool.annotations, 'destructiveHint') === false;
  if (!reads && !spares) return 'none';
  if (runsCode(tool)) return 'contradict';
  return reads ? besideReading(tool) : besideSparing(tool, label);
}

/** Whether a tool takes commands, code or SQL that it does not say to be for reading only. */
function runsCode(tool: DescribedTool): boolean {
  const names = argumentNames(tool.inputSchema);
  if (names.some((each) => codeArguments.test(each))) return true;
  return (
    names.some((each) => sqlArguments.test(each)) &&
    /\bsql\b/i.test(`${words(tool.name)} ${tool.description}`) &&
    !readsOnlySql(tool)
  );
}

/** What name and first sentence say beside a hint that the tool only reads. */
function besideReading(tool: DescribedTool): Hints {
  if (changes(tool)) return 'contradict';
  return readingVerb.test(words(tool.name)) || readingVerb.test(firstSentence(tool.description))
    ? 'agree'
    : 'none';
}

/** That nothing is destroyed is said of tools that add and send, too: only words that say it outright are against it. */
const besideSparing = (tool: DescribedTool, label: Label): Hints =>
  outright.test(begins(tool)) || labelsOf({ ...tool, description: '', annotations: undefined })[label] >= 0.7
    ? 'contradict'
    : 'agree';

/** What a tool says first that it does. */
const begins = ({ description }: DescribedTool): string =>
  firstSentence(description).split(' ').slice(0, 3).join(' ');

/** Whether name or first sentence say that the tool changes something. */
const changes = (tool: DescribedTool) =>
  changingVerb.test(words(tool.name)) || changingVerb.test(begins(tool));

/** Whether nothing but the name gives a tool this label, and the name does not say it outright. */
export function restsOnName(tool: DescribedTool, label: Label): boolean {
  if (label === 'destructive' && outright.test(words(tool.name))) return false;
  return labelsOf({ ...tool, name: 'x' })[label] < 0.7;
}

const outright = /\b(?:delet|remov|drop|destroy|eras|wip|purg|truncat|terminat|uninstall)\w*/i;

/** The labels of a tool from its name, description and arguments. Its own hints count only where they admit something. */
export function labelsOf(tool: DescribedTool): Labels {
  const text = `${words(tool.name)}. ${words(tool.name)} ${tool.description.slice(0, headLength)}`;
  const labels: Labels = { untrusted_content: 0, private_data: 0, public_sink: 0, destructive: 0 };
  for (const { label, score, pattern } of cues)
    if (score > labels[label] && pattern.test(text)) labels[label] = score;
  const names = argumentNames(tool.inputSchema);
  if (names.some((name) => /^(?:url|uri|link|href)$/i.test(name))) {
    labels.untrusted_content = Math.max(labels.untrusted_content, 0.7);
    labels.public_sink = Math.max(labels.public_sink, 0.5);
  }
  if (names.some((name) => /^(?:command|cmd|shell|code|script|sql)$/i.test(name)))
    labels.destructive = Math.max(labels.destructive, 0.7);
  if (hint(tool.annotations, 'destructiveHint') === true)
    labels.destructive = Math.max(labels.destructive, 0.8);
  if (hint(tool.annotations, 'openWorldHint') === true)
    labels.untrusted_content = Math.max(labels.untrusted_content, 0.5);
  return labels;
}
