import { type Reader, base, firstOf, roles } from './frame-readers.ts';

const needs =
  /^(.{3,200}?)\s+(?:always |also |first |each |all )*(?:requires?|needs?(?: to have)?|calls? for|demands?|(?:is|are) (?:subject to|contingent (?:up)?on|conditional on|dependent on)|must (?:always |first )?(?:have|include|contain|carry|come with|be accompanied by|be backed by|be preceded by|be followed by|go through|go past|pass through|pass|reference|cite|state|specify|bear|be subject to|get|receive|undergo|wait for)|depends? on|go(?:es)? (?:through|past|via)|has? to go (?:through|past|via))\s+(.{2,})$/i;

const checked =
  /^(?:be )?(?:\w+ly )?(?:first )?(?:\w+ly )?(approved|reviewed|verified|confirmed|signed|authori[sz]ed|checked|tested|validated|vetted|logged|cleared|countersigned|counter-signed|agreed|sanctioned|okayed|escalated|handed|referred|routed|acknowledged|scanned|backed up|previewed|announced|documented|consented|double-checked|encrypted|anonymi[sz]ed|redacted|masked|pseudonymi[sz]ed|disclosed|justified|requested|pre-approved|preapproved)\b(.*)$/i;

const mandatory =
  /^(.{3,100}?)\s+(?:is|are)\s+(?:always )?(?:required|mandatory|needed|necessary|compulsory|obligatory|a must|a prerequisite)\s+(?:for|to|when|before|in order to|on)\s+(.{3,})$/i;

const handed = new RegExp(
  String.raw`^(.{3,120}?)\s+(?:always |first |must )*(?:go(?:es)?|be (?:handled|processed|done|made|decided|performed|executed|taken over|answered|carried out|escalated|referred|handed|routed|passed|forwarded|transferred)|(?:is|are|gets?) (?:handled|processed|done|made|decided|escalated|referred|handed|routed|passed|forwarded|transferred))\s+(?:over |up )?(?:only )?(?:to|by|with)\s+(.{0,40}\b${roles}\b.*)$`,
  'i',
);

/** "Loans above 20k go to the committee": that is their yes. */
const readHanded: Reader = (text, frame) => {
  const match = handed.exec(text);
  if (match === null || /\bmust not\b/i.test(match[1] ?? '')) return undefined;
  return {
    ...base(frame, (match[1] ?? '').replace(/\s+must$/i, ''), false),
    need: [...frame.need, `seen by ${match[2] ?? ''}`],
  };
};

const readMandatory: Reader = (text, frame) => {
  const match = mandatory.exec(text);
  if (match === null) return undefined;
  const act = match[2] ?? '';
  const isVerbPhrase = /\b(?:to|before)\s*$/i.test(text.slice(0, text.length - act.length));
  return { ...base(frame, act, isVerbPhrase), need: [...frame.need, match[1] ?? ''] };
};

const readNeed: Reader = (text, frame) => {
  const match = needs.exec(text);
  if (match === null || /\bmust not\b/i.test(match[1] ?? '')) return undefined;
  const [, act = '', wanted = ''] = match;
  const passes = /\b(?:go(?:es)?|pass) (?:through|past|via)\s*$/i.test(
    text.slice(0, text.length - wanted.length),
  );
  const isVerbPhrase = /^(?:to|in order to)\s/i.test(act);
  const includes = /\bmust (?:always |first )?(?:include|contain|carry|state|specify|have)\s*$/i.test(
    text.slice(0, text.length - wanted.length),
  );
  const how = passes ? 'approved by ' : includes ? 'include ' : '';
  const need = [...frame.need, `${how}${wanted}`];
  return { ...base(frame, act.replace(/^(?:to|in order to)\s+/i, ''), isVerbPhrase), need };
};

const readGiven: Reader = (text, frame) => {
  const match =
    /^(.{3,100}?)\s+must\s+(?:always )?be (?:given|provided|included|attached|stated|supplied|present|recorded|entered|quoted|added|on file|available)\s+(?:for|with|when|in|to|before|on)\s+(.{3,})$/i.exec(
      text,
    );
  return match === null
    ? undefined
    : { ...base(frame, match[2] ?? '', false), need: [...frame.need, match[1] ?? ''] };
};

const soShape =
  /^(?:only )?(?:be )?(?:(?:go|come|run|happen|be)\s+(?=(?:only )?(?:to|from|in|on|via|through)\b)|(\w+(?:ed|sent|paid|made|en|put|run))\s+)?(?:only )?((?:to|from|in|within|via|through|using|with|on|between|over|by|under|at|inside)\s+.{2,})$/i;
const useShape =
  /^(?:be )?(?:use|using|go via|go over|happen (?:in|on|via|through)|target|point to|come from)\s+(.{2,})$/i;

const readMust: Reader = (text, frame) => {
  const must = /^(.{3,160}?)\s+must\s+(?:always |first |only )?(.{3,})$/i.exec(text);
  if (must === null) return undefined;
  const [, subject = '', predicate = ''] = must;
  if (checked.test(predicate))
    return { ...base(frame, subject, false), need: [...frame.need, predicate.replace(/^be\s+/i, '')] };
  const so = soShape.exec(predicate);
  if (so !== null)
    return { ...base(frame, `${so[1] ?? ''} ${subject}`, so[1] !== undefined), onlySo: [so[2] ?? ''] };
  const use = useShape.exec(predicate);
  return use === null ? undefined : { ...base(frame, subject, false), onlySo: [use[1] ?? ''] };
};

const activeShape =
  /^(?:the |an? |our |at least )?(.{2,60}?)\s+must\s+(?:always |first |also )*(approve|sign off(?: on)?|sign|confirm|review|authori[sz]e|check|clear|countersign|decide(?: on)?|agree to|ok|okay|verify|see)\s+(.{3,})$/i;

/** "A manager must approve refunds over 500". */
const readActive: Reader = (text, frame) => {
  const match = activeShape.exec(text);
  if (match === null || !isWho.test(match[1] ?? '')) return undefined;
  return {
    ...base(frame, match[3] ?? '', false),
    need: [...frame.need, `approved by ${match[1] ?? ''}`],
  };
};

const isWho = new RegExp(
  String.raw`\b${roles}\s*$|\b(?:user|customer|client|patient|parent|owner)s?\s*$`,
  'i',
);

/** "X needs Y", "X must be approved", "X must go to Y". */
export const readNeeded: Reader = firstOf([
  readActive,
  readHanded,
  readMandatory,
  readNeed,
  readGiven,
  readMust,
]);
