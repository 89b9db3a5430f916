/** How users ask for acts in other words than a verb for them. */

/** Acts that take more than one word to say. */
export const phrases: readonly (readonly [shape: RegExp, senses: readonly string[]])[] = [
  [
    /\blet\b.{1,60}\bknow\b|\bpass(?:ed|ing)? (?:\S+ ){0,4}on\b|\bget (?:back|in touch)\b|\breach out\b/,
    ['send'],
  ],
  [/\b(?:flag|report|escalate|mention)\b.{1,40}\bto\b/, ['send', 'share']],
  [/\b(?:confirm|acknowledge)\b|\breport back\b/, ['send']],
  [
    /\b(?:ask|thank|remind|warn|congratulate|contact|chase|nudge|apologi[sz]e to|write to|get hold of) (?:him|her|them|everyone|everybody|all|the|our|my|those|these|both|each|whoever|\S+s)\b/,
    ['send'],
  ],
  [
    /\b(?:clean|clear|tidy|sweep|throw|kick|get rid of|prune|purge)\b.{0,40}\b(?:out|up|away|of)\b|\bget rid of\b|\bprune\b/,
    ['delete'],
  ],
  [/\bmake\b.{1,40}\bpublic\b/, ['share', 'grant']],
  [/\b(?:file|lodge) (?:the|a|an|this|that|our|my|his|her|their|all)\b/, ['create', 'share']],
  [/\b(?:give|grant|provide|get|allow)\b.{0,60}\baccess\b/, ['grant', 'share', 'invite']],
  [
    /\b(?:give|grant|make)\b.{1,40}\b(?:read|write|edit|view|comment|viewer|editor|reader|writer|maintainer|contributor|member)\b(?: (?:on|to|for|in|of)\b|$|[.,;])/,
    ['grant', 'share', 'invite'],
  ],
  [/\bneeds?\b.{1,40}\b(?:access|read[- ]?only|permissions?|rights)\b/, ['grant', 'share', 'invite']],
  [/\bgive\b.{1,40}\b(?:code|key|link|pass|badge)s?\b/, ['create', 'grant', 'send']],
  [/\bput\b(?: \S+){1,4} up\b|\bput up\b|\bstick\b.{1,30}\bon\b/, ['share']],
  [/\bhand(?:ing)?\b.{0,40}\b(?:in|over)\b/, ['share', 'create']],
  [/\bturn\b.{1,50}\b(?:up|down|on|off)\b|\btag\b/, ['update', 'enable', 'disable']],
  // The new one is made, and the old one ended.
  [
    /\b(?:rotate|regenerate|renew|replace|reissue|exchange)\b.{0,40}\b(?:keys?|tokens?|secrets?|certs?|certificates?|cards?|badges?|tickets?)\b/,
    ['create', 'update', 'cancel'],
  ],
  [/\bturn\b.{1,60}\binto\b/, ['create', 'update']],
  // What one wants to have is bought, booked or made.
  [
    /\b(?:get|grab|fetch|find|need|want|take|pick|sort|arrange|organi[sz]e)\b.{1,60}\b(?:flights?|hotels?|rooms?|seats?|trains?|tables?|taxis?|cabs?|rides?|stays?|trips?|ferr(?:y|ies)|bus(?:es)?|coach|apartments?|tickets? (?:to|for|from))\b/,
    ['book', 'buy'],
  ],
  [
    /\b(?:get|grab|pick up|order in|stock up|top up|restock|reorder|replenish)\b (?:me|us|him|her|them|some|more|another|\d+)\b|\b(?:restock|reorder|replenish|top up)\b/,
    ['buy', 'create'],
  ],
  [
    /\b(?:onboard|set up|sets? up|joins?|joined|starts?|new starter|newcomer|let .{1,30} in|give .{1,40} (?:rights|permissions?))\b/,
    ['create', 'grant', 'invite'],
  ],
  [
    /\b(?:drop|shoot|give|put|leave)\b.{1,40}\b(?:line|notes?|heads[- ]up|word|message|ring|shout)\b|\bheads[- ]up\b|\bannounce\b|\bput .{1,40} (?:in|into|on) (?:the )?\S*(?:channel|chat|thread|group)/,
    ['send', 'share'],
  ],
  [/\btake\b.{1,60}\b(?:down|off)\b/, ['delete', 'disable']],
  [/\b(?:set|sign|line) .{0,40}\bup\b|\bput\b.{1,60}\b(?:in|into|on|onto|aside)\b/, ['create']],
];
