import { type Frame, type Reader, base, firstOf } from './frame-readers.ts';

const staff =
  /^(?:the |our |all |any |an? )?(?:\w+ ){0,2}(?:agents?|assistants?|bots?|staff|representatives?|reps|operators?|workers?|team members?|copilots?|models?|automations?|systems?|ai|you|it|we|they|employees?|users|processes|workflows?|scripts|jobs|pipelines?|integrations?)$/i;

const participle = String.raw`(?:\w+ly )?(\w+(?:ed|en|sent|paid|made|sold|bought|put|read|run|set|shut|cut|told|given|shown|built|done|left|kept|held))`;

const personsFirst =
  /^(?:given|offered|sent|shown|told|charged|granted|sold|asked|billed|paid|promised|quoted|issued|denied|assigned)$/i;

const containing =
  /^(?:contain|include|carry|mention|have|reference|hold|show|expose|reveal|list|display|feature|use|quote)\s+(.+)$/i;

const ending =
  /^(?:be (?:stored|placed|put|kept|saved|written|visible|present|exposed|shown|hardcoded|hard-coded|logged|committed|sent|shared|pasted|posted|included|uploaded|copied|moved)|appear|show up|end up|land|turn up|go|leave|find its way|make (?:it|their way))\s*(?:out )?((?:in|into|to|on|onto|outside|outside of|via|through|over|by|inside|anywhere|within|beyond|the)\b.*)?$/i;

const exceeding =
  /^(?:exceed|be (?:more|longer|larger|higher|greater|older|bigger|over|above|less|lower|shorter|smaller|below|under|fewer)|go (?:over|above|beyond|below|under)|drop below|rise above|last (?:longer|more)|fall below|surpass|cost more|run longer|(?:return|touch|affect|reach|cover|span|use|consume|select|fetch|scan|take)(?= (?:more than|over|above|longer than)))\b\s*(.*)$/i;

type Predicate = (subject: string, predicate: string, frame: Frame) => Frame | undefined;

const byStaff: Predicate = (subject, predicate, frame) =>
  subject === '' || staff.test(subject)
    ? base(frame, predicate.replace(/^be\s+(?=\w+ing\b)/i, ''), true)
    : undefined;

const exceeds: Predicate = (subject, predicate, frame) => {
  if (!exceeding.test(predicate)) return undefined;
  const bound = predicate
    .replace(/^exceed|^surpass/i, 'over')
    .replace(
      /^(?:be|go|cost|last|run|drop|fall|rise|return|touch|affect|reach|cover|span|use|consume|select|fetch|scan|take) /i,
      '',
    );
  return base(frame, `${subject} ${bound}`, false);
};

const contains: Predicate = (subject, predicate, frame) => {
  const held = containing.exec(predicate);
  return held === null ? undefined : base(frame, `${subject} containing ${held[1] ?? ''}`, false);
};

const leaves: Predicate = (subject, predicate, frame) => {
  const place = /^leave\s+(?:the |our |its |this )?(.{3,60})$/i.exec(predicate)?.[1];
  if (
    place === undefined ||
    /\b(?:company|organi[sz]ation|network|building|premises|perimeter|firm|house)\b/i.test(place)
  )
    return undefined;
  return { ...base(frame, `send, share, upload, copy and move ${subject}`, true), onlySo: [`in ${place}`] };
};

const passiveShape = new RegExp(String.raw`^be\s+${participle}\b(.*)$`, 'i');

const endsUp: Predicate = (subject, predicate, frame) => {
  const end = ending.exec(predicate);
  if (end === null || (passiveShape.test(predicate) && end[1] === undefined)) return undefined;
  return base(frame, finishedAction(subject, predicate, end[1] ?? ''), true);
};

const isDone: Predicate = (subject, predicate, frame) => {
  const passive = passiveShape.exec(predicate);
  if (passive === null) return { ...base(frame, predicate, true), about: subject };
  const [, verb = '', rest = ''] = passive;
  const isGiven =
    personsFirst.test(verb) && /^\s+(?!(?:to|by|in|at|on|with|for|from|over|via|after)\b)\w/.test(rest);
  if (isGiven) return { ...base(frame, `${verb} ${rest}`, true), given: [...frame.given, subject] };
  const how = rest.replace(/\bby (?:the |an? |any )?(?:agents?|assistants?|bots?|ai|you|automation)\b/i, '');
  return base(frame, `${verb} ${subject} ${how}`, true);
};

/** "Passwords must not be logged", "customers under 18 must not be offered credit", "emails must not contain links". */
function forbiddenOf(subject: string, predicate: string, frame: Frame): Frame | undefined {
  for (const read of [byStaff, exceeds, contains, leaves, endsUp, isDone]) {
    const found = read(subject, predicate, frame);
    if (found !== undefined) return found;
  }
  return undefined;
}

function finishedAction(subject: string, predicate: string, place: string): string {
  if (/^to (?:production|live|prod|main)\b/i.test(place)) return `deploy ${subject} ${place}`;
  const verb = /^(?:be )?(\w+)/i.exec(predicate)?.[1]?.toLowerCase() ?? '';
  if (/^(?:leave)$/.test(verb)) return `send ${subject} outside the company`;
  if (/^(?:shared|sent|posted|uploaded|pasted|exposed)$/.test(verb)) return `${verb} ${subject} ${place}`;
  if (/^(?:copied|moved|committed)$/.test(verb)) return `${verb} ${subject} ${place}`;
  if (/^to\b/i.test(place)) return `send, pay and share ${subject} ${place}`;
  return `write, send, share, save and log ${subject} ${place}`;
}

/** "Escalate to a human and must not answer": what is to be done besides is not who may not. */
const alsoDone =
  /^(?:escalate|hand|refer|transfer|route|forward|call|notify|alert|inform|tell|stop|pause|wait|ask|log|report|flag|always|please)\b.*(?:\b(?:and|but|then)|,)\s*$/i;

const mustNot: Reader = (text, frame) => {
  const match = /^(.{0,140}?)\s*\bmust not\s+(.{2,})$/i.exec(text);
  if (match === null) return undefined;
  const subject = (alsoDone.test(match[1] ?? '') ? '' : (match[1] ?? ''))
    .replace(/[,:]\s*$/, '')
    .replace(/(?<!\b(?:that|which|who))\s+(?:is|are|must|may|can)\b.*$/i, '')
    .replace(/^(?:the|any|all|an?|our|no|every|each)\s+/i, '');
  return forbiddenOf(subject, (match[2] ?? '').replace(/^(?:also|ever|directly|knowingly)\s+/i, ''), frame);
};

const bad = String.raw`(?:hereby )?(?:forbidden|prohibited|banned|disallowed|verboten|taboo|unacceptable|impermissible|a (?:\w+ )?(?:violation|no-?go|breach|red line|firing offen[cs]e)|off[- ]limits|off the table|out of (?:the question|bounds|scope)|out|no-?gos?|not (?:ok|okay|fine|allowed|permitted|acceptable|tolerated|welcome|an option|on|up for grabs|possible|your (?:job|call|business))|never (?:ok|okay|fine|allowed|permitted|acceptable|an option)|blocked|denied|nobody's business|none of your business)`;

const badTo = new RegExp(String.raw`^(?:it|this|that)\s+(?:is|are)\s+${bad}\s+(?:to|that)\s+(.{3,})$`, 'i');
const isBad = new RegExp(
  String.raw`^(.{3,160}?)(?:\s+(?:counts?|is considered|is seen|are seen|qualif\w+) as [\w ]{2,30}? and)?\s+(?:is|are|counts as|constitutes?|will be|remains?|stays?|gets?)\s+${bad}\b\s*(.*)$`,
  'i',
);
const notOurs =
  /^(.{3,100}?)\s+(?:is|are)\s+not\s+(?:something|what|a thing|anything|part of|within|in)\s+(?:that )?(?:this|the|our|your|an?|we|you|its?)\b/i;

/** Ways of saying that something is bad: the act is in the first group. */
const plainly: readonly RegExp[] = [
  notOurs,
  /^(?:forbidden|prohibited|banned|not allowed|never|disallowed|blocked)\s*:\s*(.{3,})$/i,
  /^(?:block|deny|reject|prevent|stop|forbid|disallow|prohibit|ban)\s+(?:any |all |the |every )?(?:attempts? (?:to|at) |calls? (?:that|to|which) |requests? (?:that|to|which) |actions? (?:that|which) )?(.{3,})$/i,
  /^(?:we|company policy|policy|this policy|the law|our rules)\s+(?:prohibits?|forbids?|bans?|disallows?|(?:do|does) not (?:allow|permit|tolerate|support|accept))\s+(.{3,})$/i,
];

const readBad: Reader = (text, frame) => {
  const to = badTo.exec(text);
  if (to !== null) return base(frame, to[1] ?? '', true);
  const match = notOurs.test(text) ? null : isBad.exec(text);
  if (match !== null) {
    const action = `${match[1] ?? ''} ${(match[2] ?? '').replace(/^(?:of|by) (?:policy|law)\b/i, '')}`;
    return base(
      frame,
      action.replace(/^(?:any|all|the) (?:attempts? (?:to|at)|form of|kind of|use of)\s*/i, ''),
      false,
    );
  }
  const said = plainly.map((shape) => shape.exec(text)?.[1]).find((found) => found !== undefined);
  return said === undefined ? undefined : base(frame, said, false);
};

/** "X must not …", "X is forbidden". */
export const readForbidden: Reader = firstOf([mustNot, readBad]);

const nothingShape =
  /^(?:nothing|none of (?:the |our )?([\w ]{3,40}?)|no (?!more than|less than|later than)((?:(?!\b(?:that|which|who|whose)\b).){2,80}?))\s+(may|must|can|is|are|gets?|get|will|ever|leaves?|goes?|go)\s*(?:ever |to )?(?:be |get )?(.{2,})$/i;

const readNothing: Reader = (text, frame) => {
  const match = nothingShape.exec(text);
  if (match === null) return undefined;
  const [, some, no, verb = '', rest = ''] = match;
  const what = some ?? no ?? '';
  if (/^(?:leave|go)/i.test(verb))
    return base(frame, finishedAction(what, /leave/i.test(verb) ? 'leave' : 'go', `to ${rest}`), true);
  return forbiddenOf(what, what === '' ? rest : `be ${rest}`, frame);
};

const readPlainNo: Reader = (text, frame) => {
  const no =
    /^(?:no|zero|not a single|not any)\s+(?!more than|less than|fewer than|later than|longer than)(.{3,})$/i.exec(
      text,
    );
  return no === null
    ? undefined
    : base(frame, (no[1] ?? '').replace(/,?\s+(?:either|ever|please)$/i, ''), false);
};

/** "Nothing may be …", "no …". */
export const readNo: Reader = firstOf([readNothing, readPlainNo]);
