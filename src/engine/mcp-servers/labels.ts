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
      /\b(?:get|read|list|search|fetch|retriev)\w*\b.{0,30}\b(?:e-?mails?|inbox|messages?|issues?|pull requests?|comments?|reviews?|tickets?|posts?|tweets?|channel|thread|slack|discord|transcript|documents?|attachment)/i,
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
