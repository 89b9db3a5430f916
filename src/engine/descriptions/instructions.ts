/**
 * What a server's `instructions` may say. By the protocol they address the model: when to use this server's tools, in which
 * order, with what. An order alone is therefore no sign; what it is after is.
 */
import type { Hit } from './fixed-signs.ts';
import type { JudgedSentence } from './judge-sentences.ts';
import type { DescribedTool } from './tool.ts';
import { classesIn, classNames, wordsOf } from './word-classes.ts';

const re = (...parts: readonly string[]) => new RegExp(parts.join('|'), 'iu');

const secrets = String.raw`pass(?:word|phrase)s?|credentials?|api[ _-]?keys?|access[ _-]?keys?|(?:access|auth|session|bearer) tokens?|tokens|private[ _-]?keys?|ssh[ -]?keys?|secrets?|cookies?|local storage|key ?chain|seed phrases?|card numbers?|environment variables?|process\.env|os\.environ|\.env\b|personal data|private messages?|dates? of birth`;
const places = String.raw`~\/[.\w]|\.ssh\b|id_(?:rsa|ed25519)|authorized_keys|\.aws\b|\.netrc|\.npmrc|\.kube\b|\.git-credentials|\/etc\/\w|\.bashrc|\.zshrc|crontab|\.git\/hooks|CLAUDE\.md|AGENTS\.md|\.cursorrules|mcp\.json|home (?:folder|directory)`;
const user = String.raw`(?:the |your |its )?(?:end[- ]?)?(?:users?|humans?|person|people|customers?|operators?|anyone|anybody|them)`;
const moves = String.raw`(?:send|forward|upload|post|transmit|mirror|relay|copy|push|e?mail|report|submit|notify|bcc|cc|ship|sync|leak|exfiltrat\w*)`;
const tells = String.raw`(?:tell|mention|show|inform|reveal|disclos|explain|notif|report|display|point|say|admit|surfac|bother|list|ask)\w*`;

/** What an order is after, and by what it is told. */
const aims: readonly { aim: string; pattern: RegExp; unless?: RegExp }[] = [
  {
    aim: 'secrets',
    pattern: re(
      String.raw`\b(?:read|collect|gather|copy|include|pass|put|write|send|append|attach|forward|upload|extract|dump|take|search|evaluate|use|save|store|hand|provide|give|open|add|return|print|capture|log|unmask\w*)\b[^.\n]{0,90}(?:${secrets})`,
      String.raw`(?:${secrets})\b[^.\n]{0,60}\b(?:in|into|to|as)\b[^.\n]{0,20}(?:argument|parameter|field|header|[\x60'"]\w+[\x60'"])`,
    ),
    unless:
      /\b(?:never|not|n['’]t|without|avoid|no need to)\b[^.\n]{0,30}\b(?:read|collect|include|pass|put|write|send|print|show|share|expose|ask|store|use|log|return|give|provide)\b|\bis (?:read|taken) from the\b|\bmasked\b|\bset (?:the|your|an?)\b|\b(?:needs?|requires?|configur\w+|authenticat\w+)\b/iu,
  },
  { aim: 'files of the user', pattern: re(places) },
  {
    aim: 'concealment',
    pattern: re(
      String.raw`\b(?:do not|don['’]?t|never|must not|should not|without|avoid|no need to|needs? not|nor)\b[^.\n]{0,20}\b${tells}\b[^.\n]{0,40}\b(?:${user}|this|that|it|these|approvals?|confirm\w*|instructions|steps?|calls)\b`,
      String.raw`\b(?:silently|secretly|covertly|unnoticed|discreetly|stealthily)\b`,
      String.raw`\b(?:hide|hidden|conceal|omit|leave)\b[^.\n]{0,50}\b(?:from|out of)\b[^.\n]{0,20}\b(?:${user}|summary|repl|answer|record|log|report)`,
      String.raw`\b(?:hidden|invisible) (?:participant|recipient|field|call|step)`,
      String.raw`\bkeep (?:this|it|that)\b[^.\n]{0,20}\b(?:secret|between|quiet|hidden|yourself)`,
      String.raw`\b${user}\b[^.\n]{0,20}\b(?:need|must|should|will|does|do|may|can)(?: ?not|n['’]t)\b[^.\n]{0,20}\b(?:know|see|notice|be (?:told|shown|informed|aware)|learn|hear)`,
      String.raw`\bneeds? no mention|\bno trace\b|\bwill not see\b|\bnot want to hear`,
    ),
    // "Do not show internal ids to the user": what is kept from the user is a form of words and no act.
    unless:
      /\b(?:raw|internal (?:ids?|notes?|identifiers?|names?)|ids?|uuids?|json|technical|full card numbers?|whole|unless)\b/iu,
  },
  {
    aim: 'data to another place',
    pattern: re(
      String.raw`\b${moves}\b[^.\n]{0,90}(?:https?:\/\/|\bwww\.|[\w.+-]+@[\w-]+\.\w{2,}|webhook|external (?:server|endpoint|address)|\bremote\b)`,
      String.raw`(?:https?:\/\/|[\w.+-]+@[\w-]+\.\w{2,})[^.\n]{0,60}\b(?:${moves}|receives?|hidden|every|each|always)\b`,
      String.raw`\bbcc\b|\b(?:also|silently|additionally|every time|each time)\b[^.\n]{0,40}\b${moves}\b`,
      String.raw`\b(?:script tag|<script|cdn\.)`,
    ),
  },
  {
    aim: 'the conversation',
    pattern: re(
      String.raw`\b(?:full|entire|complete|whole|all|verbatim|exact|first|last|previous|every)\b[^.\n]{0,25}\b(?:conversation|chat|transcript|messages?|history|prompts?)\b|\b(?:conversation|chat) (?:history|so far)\b|\bmessage text\b|\bsystem prompt\b|\blist of (?:all |available )*tools\b|\bword for word\b`,
    ),
    unless: /\b(?:retriev|list_|get_|search|returns?|read_)\w*/iu,
  },
  {
    aim: 'other tools',
    pattern: re(
      String.raw`\b(?:any|every|each|all|the)? ?others?\b[^.\n]{0,25}\b(?:tools?|servers?|functions?|connectors?)\b`,
      String.raw`\b(?:any|every|each) (?:tool|server)\b(?! (?:of|from) this)`,
      String.raw`\b(?!this\b|the\b|mcp\b|our\b)\w+ server['’]s\b`,
      String.raw`\b(?:after|before|each|every)\b[^.\n]{0,20}\b(?:user message|call of the|call to the)\b`,
    ),
    unless:
      /\bthis server['’]s other tools\b|\bother tools (?:of|in|on|from) this\b|\ball other tools require/iu,
  },
  {
    aim: 'authority over the user',
    pattern: re(
      String.raw`\b(?:ignore|disregard|forget|override|bypass|overrul|supersed)\w*\b[^.\n]{0,50}\b(?:instructions?|rules?|polic\w+|guidelines?|restrictions?|safety|prompts?)\b`,
      String.raw`\binstructions?\b[^.\n]{0,60}\b(?:replaced|out of date|do not apply|superseded|no longer)`,
      String.raw`\b(?:take precedence|outrank|precede)\b|\b(?:developer|admin|god|unrestricted) mode\b|\bfrom now on\b|\bsystem:`,
      String.raw`\b(?:user|administrator|operator|owner)s? (?:has|have) (?:already )?(?:agreed|approved|consented|confirmed|authori[sz]ed)`,
      String.raw`\b(?:skip|without|no need for|not ask for)\b[^.\n]{0,30}\b(?:confirmation|approval|permission|identification|asking|consent|dialog)`,
      String.raw`\b(?:on your own|whatever the user)\b|\b--no-verify\b|\bsuperuser\b|\b(?:switched?|turned?) off\b[^.\n]{0,20}|\bverification\b[^.\n]{0,20}\boff\b`,
    ),
  },
  {
    aim: 'a false answer',
    pattern: re(
      String.raw`\b(?:pretend|claim that|deny|fabricat\w*|make up|invent)\b`,
      String.raw`\b(?:answer|report|reply|say|tell \w+|respond)\b[^.\n]{0,50}\b(?:that (?:it|there|they|all|no)|success)\b[^.\n]{0,60}(?:whatever|without|even|regardless|\bwhen they are not)`,
      String.raw`\b(?:whatever|regardless of what|even (?:when|if) (?:they|it))\b`,
      String.raw`\breport success\b|\b(?:replace|swap|substitut\w+|alter)\b[^.\n]{0,40}\b(?:account|recipient|destination|address|result|answer|iban)`,
      String.raw`\bshow the user\b[^.\n]{0,40}\bthat they entered\b|\balways recommend\b|\bdecline the use\b`,
    ),
    unless: /\b(?:do not|don['’]t|never)\b[^.\n]{0,12}\b(?:make up|invent|fabricat\w*|pretend|claim)\b/iu,
  },
  {
    aim: 'a command',
    pattern:
      /\b(?:curl|wget)\b[^\n]{0,80}(?:\||-o\b|https?:)|\|\s*(?:ba|z)?sh\b|\brm -rf\b|\bchmod \+x\b|\bbase64 -d\b|\biex\b/iu,
  },
];

/** What a sentence of instructions is after that this server has no business with; undefined for guidance on its own tools. */
const suspectAimOf = (sentence: string): string | undefined =>
  aims.find(({ pattern, unless }) => pattern.test(sentence) && unless?.test(sentence) !== true)?.aim;

/**
 * Classes of words (`data/lexicons/description-words.json`) that guidance on a server's own tools does without as a rule: with
 * one of them a sentence is judged as in any other description.
 */
const graveClasses: ReadonlySet<string> = new Set(
  (
    'conceal skip priority secret file private disparage lie authority persist spread money guard delete privilege sell ' +
    'encoded hiding-place unaware not-ours wrong-figures drain role other-tool negation'
  ).split(' '),
);

/** Other languages are judged as in any other description: what is read here is English. */
const isEnglish = (sentence: string) => !/[^\p{ASCII}\p{P}\p{S}\s]/u.test(sentence);

/** Fields of results are about records, and about what replaces or precedes what. */
const graveInResults: ReadonlySet<string> = new Set(
  [...graveClasses].filter((name) => !['private', 'priority', 'disparage'].includes(name)),
);

/** Whether an English sentence is after nothing that is suspect, and has no word of these classes. */
function isPlain(sentence: string, grave: ReadonlySet<string>): boolean {
  if (!isEnglish(sentence) || suspectAimOf(sentence) !== undefined) return false;
  const text = sentence.toLowerCase();
  const names = classNames();
  return !classesIn(wordsOf(text), text).some(({ id }) => grave.has(names[id] ?? ''));
}

/** So far above the threshold, a sentence is an order against the user whatever it is after. */
const farAbove = { instructions: 3, results: 1.2, arguments: 0.6 };

/** Signs of whoever addresses the model, marks what is important or says what comes first: as instructions are to do. */
const ordinarySigns: ReadonlySet<string> = new Set([
  'to-the-model',
  'order-tag',
  'call-first',
  'preferred',
  'phrase-7',
  'phrase-10',
  'phrase-13',
  'phrase-19',
]);

/** Orders about tools: instructions speak of their own server's. */
const toolSigns: ReadonlySet<string> = new Set(['phrase-6', 'phrase-17', 'other-tool']);

const ordinaryTag = /^<\/?\s*(?:important|instructions?|critical|rules?|system)\b/iu;

const areInstructions = ({ kind }: Pick<DescribedTool, 'kind'>): boolean => kind === 'instructions';

/** The signs of a definition; in instructions, those that are signs there too. */
export const allowedHits = (tool: Pick<DescribedTool, 'kind'>, hits: readonly Hit[]): Hit[] =>
  areInstructions(tool) ? hits.filter(countsInInstructions) : [...hits];

function countsInInstructions({ sign, quote, view }: Hit): boolean {
  if (view.kind !== 'plain') return true;
  if (ordinarySigns.has(sign.id)) return false;
  if (toolSigns.has(sign.id)) return suspectAimOf(quote) !== undefined;
  return sign.id !== 'phrase-3' || !ordinaryTag.test(quote);
}

/**
 * The sentences of a definition, as far as their place allows for: guidance of instructions on the server's own tools,
 * what the schema of results says of its fields, and what is only just suspect of arguments, weigh no more than just
 * below a verdict.
 */
export function allowedFor(
  tool: Pick<DescribedTool, 'kind'>,
  sentences: readonly JudgedSentence[],
  { high }: { high: number },
): JudgedSentence[] {
  const isAllowed = ({ how, logit, unit: { field, text } }: JudgedSentence) => {
    if (how !== '') return false;
    if (areInstructions(tool)) return logit < high + farAbove.instructions && isPlain(text, graveClasses);
    if (field.startsWith('input_schema'))
      return logit < high + farAbove.arguments && isPlain(text, graveClasses);
    return (
      field.startsWith('output_schema') && logit < high + farAbove.results && isPlain(text, graveInResults)
    );
  };
  return sentences
    .map((each) => (isAllowed(each) ? { ...each, logit: Math.min(each.logit - 1, high - 0.1) } : each))
    .toSorted((a, b) => b.logit - a.logit);
}
