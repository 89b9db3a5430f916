import { type Reader, base } from './frame-readers.ts';

const limitStart =
  /^(?:(?:stay|remain|keep) (?=below|under|within|at most|less than|no more than))|^(?:a )?(?:max(?:imum)?\.?(?: of)?|at most|no more than|not more than|up to|never more than|limit(?: of)?|cap)\b/i;

const limitAny =
  /\b(?:is|are|be) (?:limited|capped|restricted)\s+(?:to|at)\s+(?:[$€£]|eur|usd|\d|a |one|two|three|four|five|six|ten|at most|no more)|\bmust (?:stay|remain|be|lie|be kept)\s+(?:between|below|under|within|above|over|at (?:least|most)|less than|no more than|in the range)\b|^(?:always )?(?:limit|cap|keep|hold)\b.{2,80}\b(?:to|at|under|below|between|within|above)\s+(?:[$€£]|eur|usd|\d|a |one|two|three|ten|at most|no more)|\b\d[\d,.]*\s?(?:%|\w+)?\s+(?:max(?:imum)?|at most|tops)\b|\bmust (?:be|have|last|contain|cost) (?:at (?:least|most)|no more than|not more than|less than|under|below|up to|between)\b|\b(?:the )?max(?:imum)? .{2,60} (?:is|are|of)\b/i;

/** "At most three …", "X must stay below N". */
export const readLimit: Reader = (text, frame) => {
  if (
    !limitStart.test(text) &&
    !limitAny.test(text) &&
    !/^\w+ (?:at most|no more than|not more than|up to|a maximum of)\b/i.test(text) &&
    !/\b(?:may|can)\b.{2,60}\b(?:at most|up to|no more than|a maximum of|not more than)\b/i.test(text)
  )
    return undefined;
  if (
    !/\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|thousand|once)\b/i.test(
      text,
    )
  )
    return undefined;
  const action = text
    .replace(/^(?:always )?(?:limit|cap|keep|hold|stay|remain)\b/i, '')
    .replace(/^\s*(?:the )?(?:number|amount|size|count|total|sum|value) of\b/i, '')
    .replace(/\b(?:is|are|be) (?:limited|capped|restricted) (?:to|at)\b/i, 'at most')
    .replace(/\bmust (?:stay|remain|be kept|be|lie|have|last|contain|cost)\b/i, '')
    .replace(/^must not\s+/i, '')
    .replace(/^(?:may|can)\s+/i, '')
    .replace(/^(\w+) (?:to|at) (?=[$€£\d])/i, '$1 at most ');
  const verbal =
    /^(?:send|issue|make|book|order|refund|pay|delete|post|create|call|transfer|buy|place|spend|invite|give|grant|run|start|export|read|download|schedule|dispense|charge|withdraw|restart|deploy)\b/i.test(
      action.trim(),
    );
  return { ...base(frame, action, verbal), isLimit: true };
};
