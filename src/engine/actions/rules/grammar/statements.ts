import { plainWords } from './plain-words.ts';

const maxLength = 4000;
const maxStatements = 16;

/** Says that something is forbidden, wanted or bounded. */
const commanding =
  /\b(?:must|only|forbidden|prohibited|banned|required?|requires|needs?|mandatory|always|no(?=\s)|without|unless|goes? (?:to|through|past|via)|something only|max(?:imum)?|at most|limit(?:ed)?|cap|violations?|off[- ]limits|taboo|no-?go|(?:stay|keep|remain)s? (?:below|under|within)|go(?:es)? to an?|stop|out of bounds|nobody|nothing|disallowed|exclusively|solely|before|never|not (?:ok|okay|fine|acceptable|allowed)|ask|escalate|hands off)\b|^(?:keep|limit|cap|stop|leave|stay|hold)\b/i;
/** Allows something and bounds nothing. */
const permitting =
  /^(?!.*\b(?:only|must|if|when|unless|provided|as long as|after|once|up to|at most|but)\b).*\b(?:may|can|could|feel free|free to|is (?:fine|ok|okay|allowed|permitted|welcome)|are (?:fine|ok|okay|allowed|permitted|welcome))\b/i;

/** "Browsing is fine, logging in is not" → "logging in is forbidden"; "A is allowed, B is not". */
const contrasted: readonly (readonly [shape: RegExp, plain: string])[] = [
  [
    /^(?:\w+ )?only use (.{3,60}?) for .{3,60}?,\s*(?:and |but )?(?:must not|never|not) for (.{3,})$/i,
    'must not use $1 for $2',
  ],
  [
    /^(.*\bonly\b.{3,80}?),\s*(?:and |but )?(?:must )?not (?:to )?(?:modify|change|edit|write|delete|alter|update|touch)\w*\b.{0,30}$/i,
    '$1',
  ],
  [
    /^(.{3,60}?) must be \w+(?:ed|en)\b[\w ]{0,30}, (?:and )?(?:must )?not (?:be )?(\w.*)$/i,
    '$1 must not be $2',
  ],
  [
    /^.{3,120}?\b(?:is|are) (?:fine|ok|okay|allowed|permitted|good|all right|alright|welcome|acceptable)[,;—]\s*(?:but |and |yet |while )?(.{4,160}?)\s+(?:is|are) not\b.*$/i,
    '$1 is forbidden',
  ],
  [
    /^(.{3,60}?) (?:belongs?|goes?|lives?|stays?) (?:in|to|into|on) [^,]{2,60}, (?:and )?(?:must not|never|not) (?:in|to|into|on)\s+(.{3,})$/i,
    'must not write, send, share or save $1 in $2',
  ],
  [/^(?:\w+ )?(.{3,80}?)\s*:\s*(?:yes|ok|fine)[.,;]\s*(.{3,80}?)\s*:\s*no\b.*$/i, '$2 is forbidden'],
  [
    /^(?:.{0,60}?\b)?(?:may|can|could)\s.{3,140}?[,;]?\s*(?:but|yet|however,?|though)\s+(?:it |they |you |the \w+ |that |this |he |she )?((?:must not|must|only|never|has|have|is not|not|no)\b.{3,})$/i,
    '$1',
  ],
];

function contrast(sentence: string): string {
  for (const [shape, plain] of contrasted)
    if (shape.test(sentence)) return sentence.replace(shape, plain).replace(/^not\b/i, 'must not');
  return sentence;
}

/** "Do A; never B", "A, and never B": one command each. */
function commandsOf(sentence: string): string[] {
  const next =
    /^((?!if\b|when|while|after|before|unless|once|in\b|on\b|at\b|for\b|during)[^,]*\b(?:must not|must|only|no)\b[^,]*),\s+(?:and |but |or )?((?:must not|never|no more than|not more than|at most|max)\b.{3,})$/i.exec(
      sentence,
    );
  if (next !== null && !/^must not (?:in|to|into|on|via|through|from|with|by)\b/i.test(next[2] ?? ''))
    return [next[1] ?? '', next[2] ?? ''];
  const spliced =
    /^([^,]{8,}(?:\d,\d+[^,]*)?),\s+(?:and |but |so )?(?:the (?:agent|assistant|bot)|you|we|it)\s+(must not\s.{3,})$/i.exec(
      sentence,
    );
  if (spliced !== null) return [spliced[1] ?? '', spliced[2] ?? ''];
  const parts = sentence
    .split(
      /;\s+|(?<=\b(?:stays?|is|are|belongs?|goes|go|must|needs?)\b[^:]{3,80}):\s+(?=\w+ \w+)|,?\s+—\s+|,\s+otherwise,?\s+|\.\s+|,\s+(?:and |but )(?=(?:must not|must|never|only|no|always|do not)\b)/i,
    )
    .filter((part) => part.trim().length > 3);
  if (parts.length < 2) return [sentence];
  return parts.every((part) => commanding.test(part) || permitting.test(part) || part.length < 60)
    ? parts
    : [sentence];
}

const pronoun = /\b(?:them|these|those|it|they)\b/i;
const topicShape =
  /^(?:the |all |any |our |every )?([a-z][\w' -]{2,40}?)\s+(?:belong|live|stay|are|is|go|must|may|can|remain|get)s?\b/i;

/** "Only read from the warehouse": what the next sentence calls `it`. */
const lastThing = /\b(?:from|in|on|of|into|with|at)\s+(?:the |our |any |its )?([a-z][\w' -]{2,40})$/i;

/** "Prescriptions: refill only when …": the label is what the rest is about. */
const labelShape =
  /^(?![^:]*\b(?:only|never|must|no|not|do|without|limit|max|stays?|is|are|belongs?|goes|needs?)\b[^:]*:)([A-Za-z][\w' /-]{2,40}):\s+(?=\S)/i;

/** "Secrets belong in the vault": there they may be. */
const homeShape = /\bbelongs? (?:only )?(?:in|to) (?:the |our )?([a-z][\w -]{2,30})$/i;

export interface Statement {
  text: string;
  /** What the label or the sentence before is about, where this one does not name it. */
  topic: string;
}

/** What the statements before have spoken of. */
interface Spoken {
  topic: string;
  /** Where it belongs, and may be. */
  home: string;
}

/** "Must not create or delete records": of what was spoken of. */
const holdsOnly =
  /^must not (?:\w+(?:, | or | and |,? or ))*\w+ (?:the |any |its |existing )?(?:records?|items?|entries|data|anything|objects?)$/i;

/** A label joined to what it heads, or kept as what the statement is about. */
function headed(sentence: string): { label: string; body: string } {
  const label = labelShape.exec(sentence);
  if (label === null) return { label: '', body: sentence };
  const alone = /^(?:leave|let)\s+(?:the |our |any |all )?(.{3,60}?)\s+(?:alone|be|untouched)$/i.exec(
    label[1] ?? '',
  )?.[1];
  const body = sentence.slice(label[0].length);
  if (alone !== undefined) return { label: alone, body };
  if (/^(?:never|no|forbidden|not allowed|banned|prohibited|out|off[- ]limits)[.!]*$/i.test(body))
    return { label: '', body: `no ${label[1] ?? ''}` };
  const isHeading = /^(?:only|with|after|needs?|requires?|max|at most|up to)\b/i.test(body);
  return isHeading ? { label: '', body: `${label[1] ?? ''} ${body}` } : { label: label[1] ?? '', body };
}

function statementOf(text: string, label: string, { topic, home }: Spoken): Statement | undefined {
  if (!commanding.test(text) || permitting.test(text)) return undefined;
  if (topic !== '' && holdsOnly.test(text)) return { text: `${text} in the ${topic}`, topic: '' };
  if (topic === '' || !pronoun.test(text)) return { text, topic: label };
  const exempt = home === '' || homeShape.test(text) ? '' : ` except in the ${home}`;
  return { text: `${text.replace(pronoun, topic)}${exempt}`, topic: '' };
}

/** The statements of a rule that command something. */
export function statementsOf(description: string): Statement[] {
  const sentences = description
    .slice(0, maxLength)
    .split(/(?<=(?<!\b(?:max|min|e\.g|i\.e|no|approx|incl|resp))[.!?])\s+(?=[A-Z"'(\d])|\n+/i)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 3);
  const found: Statement[] = [];
  let spoken: Spoken = { topic: '', home: '' };
  for (const { label, body } of sentences.map(headed))
    for (const part of commandsOf(contrast(plainWords(body)))) {
      const text = plainWords(contrast(part));
      const home = homeShape.exec(text)?.[1] ?? spoken.home;
      const statement = statementOf(text, label, { ...spoken, home });
      spoken = { topic: topicShape.exec(text)?.[1] ?? lastThing.exec(text)?.[1] ?? spoken.topic, home };
      if (statement !== undefined) found.push(statement);
    }
  return found.slice(0, maxStatements);
}
