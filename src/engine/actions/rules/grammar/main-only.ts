import { type Frame, type Reader, base, firstOf, roles } from './frame-readers.ts';

const hasOnly = /\b(?:only|solely|exclusively)\b/i;

const restrictedShape =
  /^(.{3,120}?)\s+(?:is|are|must be|remains?)\s+(?:only |strictly )?(?:limited|restricted|confined|reserved|available|allowed|permitted|ok|okay|fine|acceptable|good|open|accessible|visible|possible|meant|intended|for)\s+(?:only |exclusively |solely )?((?:to|for|in|on|at|by|from|with|during|between|within|via|through|against)\s+.{2,})$/i;

const readRestricted: Reader = (text, frame) => {
  const match = restrictedShape.exec(text);
  if (match === null || !(hasOnly.test(text) || /limited|restricted|confined|reserved/i.test(text)))
    return undefined;
  return { ...base(frame, match[1] ?? '', false), ...restrictedTo(match[2] ?? '') };
};

const readBound: Reader = (text, frame) => {
  const match =
    /^(.{3,120}?)\s+(?:may|can|must|is|are|gets?)\s+(?:only|solely|exclusively)\s+(?:be )?(\w+)$/i.exec(text);
  return match === null || frame.need.length === 0
    ? undefined
    : base(frame, `${match[2] ?? ''} ${match[1] ?? ''}`, true);
};

const readSomething: Reader = (text, frame) => {
  const match =
    /^(.{3,100}?)\s+(?:is|are)\s+(?:something|a thing|things|a call|a decision)\s+(?:that )?only\s+(.{2,60}?)\s+(?:may|can|must)\b/i.exec(
      text,
    );
  return match === null
    ? undefined
    : { ...base(frame, match[1] ?? '', false), need: [`approved by ${match[2] ?? ''}`] };
};

const readGoes: Reader = (text, frame) => {
  const match =
    /^(.{3,80}?)\s+(?:may|can|must)\s+(?:only|solely|exclusively)\s+(?:go|be sent|be delivered|leave)\s+(.{3,})$/i.exec(
      text,
    );
  return match === null
    ? undefined
    : { ...base(frame, `send ${match[1] ?? ''}`, true), onlySo: [match[2] ?? ''] };
};

const onlyReads =
  /\bonly\b.{0,24}\b(?:read|view|list|query|look at|search|browse|get|select|fetch)\b(?:[- ]only)?\s*(.*)$|\bread[- ]only\b\s*(.*)$/i;
const readFrom =
  /\bonly (?:be )?(?:read|viewed?|listed|quer\w+|browse[d]?|search\w*|fetch\w*)\s+(?:from|by|with|in|on|to|via|if|when|\w+ (?:from|in|on|at|by))\b/i;

/** "Only read from the CRM": nothing is named that is read, so the place is what stays as it is. */
const readsIn =
  /\bonly (?:be )?read (?:from|in|on) (?!(?:the |our |an? )?(?:approved|trusted|allowed|listed|verified|official|own|public|following)\b)/i;

/** "Only read …": whatever does more is forbidden. */
const readReads: Reader = (text, frame) => {
  const match = onlyReads.exec(text);
  if (
    match === null ||
    (readFrom.test(text) && !readsIn.test(text)) ||
    /\/\w|\.(?:com|org|test|io)\b/.test(text)
  )
    return undefined;
  const scope = (match[1] ?? match[2] ?? '').replace(/^(?:from|in|on)\s+/i, '');
  return base(frame, `alter ${scope.replace(/^(?:data|anything)\b.*$/i, '')}`, true);
};

const readUseFor: Reader = (text, frame) => {
  const match = /^(?:.{0,40}?\b(?:may|can|must)\s+)?only use\s+(.{3,80}?)\s+(?:for|when|to)\s+(.{3,})$/i.exec(
    text,
  );
  return match === null ? undefined : { ...base(frame, match[2] ?? '', false), onlySo: [match[1] ?? ''] };
};

const fileTypes =
  /^(?:.{0,40}?\b(?:may|can|must)\s+)?only (attach|upload|send|accept|open|download|import|process|store|save|share|convert) (pdf|csv|docx?|xlsx?|txt|png|jpe?g|json|xml|zip|md)s?(?: (?:files?|documents?|attachments?|images?))?\b(.*)$/i;

/** "Only attach PDF files": files of another type are meant. */
const readTypes: Reader = (text, frame) => {
  const match = fileTypes.exec(text);
  return match === null
    ? undefined
    : {
        ...base(frame, `${match[1] ?? ''} files`, true),
        onlySo: [`.${(match[2] ?? '').toLowerCase()} files`],
      };
};

const readWho: Reader = (text, frame) => {
  const match =
    /^only\s+(?:the |an? |our )?(.{2,80}?)\s+(?:may|can|must|is|are|gets? to|get to)\s+(?!not)(?:be )?(.{3,})$/i.exec(
      text,
    );
  return match === null ? undefined : whoOf(match[1] ?? '', match[2] ?? '', text, frame);
};

const byShapes: readonly RegExp[] = [
  /^(.{3,120}?)\s+(?:may|can|must|is|are)\s+(?:be )?only\s+(?:be )?(\w+)\s+by\s+(.{2,})$/i,
  /^(.{3,120}?)\s+(?:may|can|must|is|are)\s+(?:be )?(\w+)\s+(?:only|solely|exclusively)\s+by\s+(.{2,})$/i,
];

const readBy: Reader = (text, frame) => {
  const match = byShapes.map((shape) => shape.exec(text)).find((found) => found !== null);
  return (
    match && {
      ...base(frame, `${match[2] ?? ''} ${match[1] ?? ''}`, true),
      need: [`approved by ${match[3] ?? ''}`],
    }
  );
};

const passiveShape =
  /^(.{3,120}?)\s+(?:may|can|must|is|are|gets?)\s+(?:(?:only|solely|exclusively)\s+)?(?:be )?(?:(?:only|solely|exclusively)\s+)?(\w+(?:ed|en|sent|paid|made|put|run|set|read|sold|told|given|shown))\s+(.{2,})$/i;

const readPassive: Reader = (text, frame) => {
  const match = passiveShape.exec(text);
  if (match === null) return undefined;
  const verb = /^(?:shown|seen|viewed|disclosed)$/i.test(match[2] ?? '')
    ? 'share, send and read'
    : (match[2] ?? '');
  const action = base(frame, `${verb} ${match[1] ?? ''}`, true);
  const how = clean(match[3] ?? '');
  const by = /^by\s+(.{2,})$/i.exec(how)?.[1];
  return by === undefined ? { ...action, onlySo: [how] } : { ...action, need: [`approved by ${by}`] };
};

const verbShapes: readonly RegExp[] = [
  /^(?:.{0,60}?\b(?:may|can|must)\s+)?(?:only|solely|exclusively)\s+(?:ever )?(.{3,})$/i,
  /^(?:.{0,60}?\b(?:may|can|must)\s+)?(\w+ .{2,100}?)\s+(?:only|solely|exclusively)\b\s*(.*)$/i,
];

const readVerb: Reader = (text, frame) => {
  const match = verbShapes.map((shape) => shape.exec(text)).find((found) => found !== null);
  return match && splitOnly(`${match[1] ?? ''} ${match[2] ?? ''}`.trim(), frame);
};

const readWithOnly = firstOf([
  readBound,
  readSomething,
  readTypes,
  readGoes,
  readReads,
  readUseFor,
  readWho,
  readBy,
  readPassive,
  readVerb,
]);

/** "Only X may Y", "may only Y", "Y only in Z", "restricted to Z". */
export const readOnly: Reader = firstOf([
  readRestricted,
  (text, frame) =>
    hasOnly.test(text) || /\bread-only\b/i.test(text) ? readWithOnly(text, frame) : undefined,
]);

/** "Reserved for HR managers" wants one of them; "limited to the sandbox" wants the sandbox. */
const restrictedTo = (text: string): Pick<Frame, 'onlySo' | 'need'> =>
  new RegExp(String.raw`^(?:for|to|by)\s.*\b${roles}\b`, 'i').test(text)
    ? { onlySo: [], need: [`approved by ${text.replace(/^(?:for|to|by)\s+/i, '')}`] }
    : { onlySo: [text], need: [] };

const clean = (text: string) => text.replace(/\b(?:only|solely|exclusively)\b/gi, '').trim();

/** "Only doctors may see X" wants a doctor; "only the sandbox may be used" wants the sandbox. */
function whoOf(who: string, what: string, text: string, frame: Frame): Frame {
  const usedFor = /^used (?:for|in|to|with)\s+(.{3,})$/i.exec(what);
  if (usedFor !== null) return { ...base(frame, usedFor[1] ?? '', false), onlySo: [who] };
  const isPassive =
    /\b(?:may|can|must|is|are|gets? to|get to)\s+be\s/i.test(text) || /\b(?:is|are)\s+\w+ed\b/i.test(text);
  if (isPassive) return { ...base(frame, what.replace(/^used\b/i, 'use'), true), onlySo: [who] };
  const seen = what.replace(
    /^(?:see|view|know(?: about)?|learn(?: about)?|receive|get|hear about)\b/i,
    'share, send and read',
  );
  return { ...base(frame, seen, true), need: [`${seen === what ? 'approved by' : 'seen by'} ${who}`] };
}

/** "Send mail to colleagues": the act, and what is behind the preposition is what is allowed. */
function splitOnly(text: string, frame: Frame): Frame | undefined {
  const colon =
    /^(?:use|call|run)\s+(?:the )?(?:approved |following |listed )*([\w -]{2,40}?)\s*:\s*(.{3,})$/i.exec(
      text,
    );
  if (colon !== null) return { ...base(frame, `use ${colon[1] ?? ''}`, true), onlySo: [colon[2] ?? ''] };
  const match =
    /^(\w+(?:(?:,| or| and|,? or) \w+)*(?:\s.*?)??)\s+((?:to|in|into|from|on|at|via|through|with|using|between|within|during|for|inside|under|over|below|up to|of|by)\s+.{2,})$/i.exec(
      text,
    );
  if (match !== null) return { ...base(frame, match[1] ?? '', true), onlySo: [match[2] ?? ''] };
  const plain = /^(\w+)\s+(.{2,})$/i.exec(text);
  return plain === null ? undefined : { ...base(frame, plain[1] ?? '', true), onlySo: [plain[2] ?? ''] };
}
