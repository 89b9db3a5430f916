import type { Condition, DataClass, FactName } from '../clauses.ts';
import { prepositions } from '../things.ts';

const dataShapes: readonly (readonly [shape: RegExp, dataClass: DataClass])[] = [
  [
    /\b(?:passwords?|credentials?|api[ -]?keys?|access keys?|access tokens?|auth(?:entication)? tokens?|secrets?|private keys?|ssh keys?|tokens?|encryption keys?|passphrases?|connection strings?|environment variables|env files?|login details|pin codes?|one[- ]time (?:codes?|passwords?)|otps?|session cookies?)\b/,
    'secret',
  ],
  [
    /\b(?:pii|personal(?:ly)?(?: identifi\w+)?(?: data| information| details)|personal (?:data|information|details)|ssns?|social security numbers?|passports?(?: numbers?)?|dates? of birth|national ids?|driver'?s? licen[cs]es?|sensitive (?:data|information)|private (?:data|information)|gdpr)\b/,
    'personal',
  ],
  [
    /\b(?:phone numbers?|home address(?:es)?|contact (?:details|information|data)|contacts? lists?|email addresses of)\b/,
    'contact',
  ],
  [
    /\b(?:phi|(?:test|lab|laboratory|blood|scan|imaging) results?|lab reports?|health (?:data|information|records?)|medical (?:data|information|records?|history)|patient (?:data|information|records?|names?|details)|diagnos[ei]s|prescriptions?)\b/,
    'health',
  ],
  [/\b(?:credit cards?|card (?:numbers?|data|details)|cardholder|cvvs?|cvc|pan)\b/, 'card'],
  [
    /\b(?:bank (?:details|accounts?(?: numbers?)?|account details|data)|ibans?|account numbers?|routing numbers?)\b/,
    'bank',
  ],
  [/\b(?:source code|proprietary code|codebase)\b/, 'source_code'],
  [
    /\b(?:customer|client|user|subscriber)s?'? (?:data|information|details|lists?|records? (?:with|to|outside))\b/,
    'customer',
  ],
  [
    /\b(?:confidential|proprietary|trade secrets?|internal (?:documents?|data|information|files?|memos?|reports?)|company data|private (?:documents?|files?)|financial (?:data|reports?|statements?))\b/,
    'confidential',
  ],
  [/\b(?:salar(?:y|ies)|payroll|wages)\b/, 'personal'],
];

const factShapes: readonly (readonly [shape: RegExp, facts: FactName[]])[] = [
  [
    /\b(?:follow|obey|execut\w+|act(?:ing)? (?:up)?on|compl\w+|carry(?:ing)? out|trust|treat|perform|heed|accept|adopt|do)\w*\b.{0,60}\b(?:instructions?|commands?|directives?|prompts?|requests?)\b.{0,80}\b(?:tool|outputs?|web ?(?:pages?|sites?|content)|pages?|files?|documents?|e?-?mails?|messages?|content|results?|retrieved|external|embedded|hidden|third[- ]part\w+|data|tickets?|comments?|reviews?|calendar|attachments?|responses?)\b/,
    ['follows_embedded_instruction'],
  ],
  [
    /\b(?:instructions?|commands?|directives?)\b.{0,40}\b(?:embedded|hidden|found|contained|inside|coming|come|comes|appear\w*|written)\b/,
    ['follows_embedded_instruction'],
  ],
  [
    /\b(?:tool outputs?|outputs? of (?:a )?tools?|web ?pages?|retrieved (?:content|documents?)|external content|documents?|e?-?mails?|untrusted (?:content|sources?))\b.{0,50}\b(?:instructions?|tells?|ask(?:s|ed)?|dictates?|says?|prompted|requested|suggested|triggered|demands?)\b/,
    ['follows_embedded_instruction'],
  ],
  [
    /\bprompt[- ]injections?\b|\bembedded (?:instructions?|commands?)\b|\binjected (?:instructions?|commands?|prompts?)\b/,
    ['follows_embedded_instruction'],
  ],
  [
    /\b(?:unrelated|not related|irrelevant|nothing to do|off[- ]task|off[- ]topic)\b|\b(?:outside|beyond|exceeds?) (?:of )?(?:the )?(?:scope|user'?s? (?:request|task|intent|goal)|task|request|what the user)|\b(?:not|never|no one) (?:been )?(?:asked|requested|ask|request|needed|necessary|required)(?: for| by| to)? .{0,20}\b(?:user|task|request|for)\b|\b(?:user|task|request)\b.{0,15}\b(?:did not|didn't|does not|has not|never) (?:ask|request|want|need|require|call|serve)\w*|\bdo(?:es)? not serve the (?:user|task|request)/,
    ['off_task'],
  ],
  [
    /\b(?:recipients?|address(?:es)?|accounts?|destinations?|links?|urls?|people|person|payees?|sellers?|vendors?|suppliers?|shops?|merchants?|hosts?|(?:web)?sites?|pages?|channels?|numbers?|endpoints?|someone|anyone|parties)\b.{0,40}\b(?:(?:user|customer|requester|task) (?:did not|didn't|has not|hasn't|never|does not) (?:name|mention|give|gave|provide|specif|request|list|choose|approve)\w*|not (?:been )?(?:named|mentioned|given|provided|specified|requested|listed|chosen) (?:by|in)|(?:must|should|have to|need to) (?:be |have been )(?:named|mentioned|given|provided|specified|requested|confirmed) by the (?:user|customer))/,
    ['unnamed_destination'],
  ],
  [
    /\b(?:recipients?|address(?:es)?|accounts?|destinations?|urls?|payees?|links?|hosts?|sites?)\b.{0,40}\b(?:found|taken|copied|coming|come|comes|obtained|supplied|appear\w*|mentioned|provided|given|named|suggested|originat\w+|that (?:was|were))\b.{0,20}\b(?:only )?(?:in|from|by|inside) .{0,30}\b(?:outputs?|results?|pages?|documents?|content|files?|messages?|e?-?mails?|responses?)/,
    ['tainted_destination'],
  ],
  [
    /\b(?:data|content|text|information|results?|values?)\b.{0,25}\b(?:from|of|in|read from|returned by|obtained from|taken from)\b.{0,15}\b(?:tool outputs?|tool results?|tool responses?|other tools|tools?|previous steps|retrieved (?:content|documents?)|private sources?)\b|\btool (?:outputs?|results?|responses?)\b/,
    ['tool_output_leaves'],
  ],
  [
    /\b(?:internal|private|local|metadata|link[- ]local|loopback|intranet|cloud)(?: (?:ip|network|metadata|web))? (?:address(?:es)?|ips?|hosts?|hostnames?|networks?|endpoints?|services?|urls?|ranges?)\b|\bssrf\b|\blocalhost\b/,
    ['internal_host'],
  ],
  [
    /\b(?:plain|unencrypted|insecure|non-?tls) http\b|\bhttp (?:urls?|links?|addresses?|sites?)\b|\bwithout (?:tls|https|encryption)\b|\bunencrypted (?:connections?|channels?|protocols?|urls?)\b|\bnon-https\b/,
    ['plain_http'],
  ],
  [
    /\b(?:ngrok|tunnels?|tunnelling|webhook\.site|paste ?bins?|paste sites?|pastebin|file[- ]sharing sites?|file drops?|drop sites?|request bins?|anonymous upload)\b/,
    ['tunnel_host'],
  ],
  [
    /\b(?:system|operating system|os|kernel|boot)(?:'s)? (?:files?|directories|directory|folders?|paths?|configuration)\b|\b(?:files|paths?) of the (?:operating )?system\b/,
    ['system_path'],
  ],
  [
    /\b(?:destructive|irreversible|dangerous) (?:shell |system )?(?:commands?|operations?|actions?)\b|\brecursive(?:ly)? (?:delet\w+|remov\w+)|\brm -rf\b|\bformat(?:ting)? (?:disks?|drives?|volumes?)|\bwipe (?:disks?|drives?)/,
    ['destructive_command'],
  ],
  [
    /\b(?:download\w*|fetch\w*|remote|internet|web|curl)\b.{0,40}\b(?:and (?:execut\w+|run\w*|pip\w+)|scripts?|shell|into (?:a |the )?(?:shell|bash))\b|\bpip(?:e|ing) .{0,30}(?:shell|bash|sh)\b|\b(?:run(?:s|ning)?|execut\w*|start\w*|launch\w*)\b.{0,20}\b(?:scripts?|code|binar\w+|software|programs?|files?|executables?)\b.{0,20}\b(?:downloaded|fetched|from the (?:internet|web)|from (?:a )?(?:remote|unknown|untrusted))/,
    ['downloads_and_runs'],
  ],
  [
    /\b(?:obfuscat\w+|base64|encoded|encrypted|hidden|packed) (?:commands?|code|scripts?|payloads?|programs?)\b|\bobfuscated\b/,
    ['obfuscated_command'],
  ],
  [
    /\bsudo\b|\b(?:with|under|as|using) (?:root|elevated|superuser|administrator|admin)(?: (?:privileges?|rights|permissions?|access|mode))?\b|\broot (?:commands?|shell)\b|\bworld[- ]writable\b|\bchmod 777\b/,
    ['privileged_command'],
  ],
  [
    /\bwithout (?:a |any )?(?:where|filter|condition|limit)\b|\ball rows\b|\bevery row\b|\bwhole tables?\b|\bentire tables?\b|\bunfiltered\b/,
    ['sql_without_condition'],
  ],
  [
    /\b(?:drop\w*|alter\w*|truncat\w*)\b.{0,25}\b(?:tables?|schemas?|columns?|databases?|indexes)\b|\b(?:chang\w+|modif\w+)\b.{0,25}\b(?:schemas?|columns?)\b|\bschema changes?\b|\bddl\b/,
    ['sql_schema_change'],
  ],
  [
    /\b(?:disabl\w+|turn\w* off|deactivat\w+|bypass\w*|weaken\w*|stop\w*|switch\w* off|remov\w+|circumvent\w*|skip\w*|tamper\w*)\b(?:(?! and notify| and inform| after ).){0,50}\b(?:security|logging|logs?|audit\w*|monitoring|mfa|2fa|firewalls?|antivirus|encryption|protections?|safety|two-factor|multi-factor|guardrails?|rate limits?|branch protection|alerts?|alerting)\b/,
    ['disables_protection'],
  ],
  [/\b(?:injected conditions?|sql injections?|union select|always true)\b/, ['injected_sql']],
  [/\breverse shells?\b|\bbind shells?\b|\b(?:incoming|inbound) connections?\b/, ['reverse_shell']],
  [
    /\b(?:crypto(?:currency)?|coin|bitcoin)[- ]?min(?:ers?|ing)\b|\b(?:port|network|vulnerability) scan\w*/,
    ['scans_or_mines'],
  ],
  [
    /\b(?:skip|bypass|omit)\w*\b.{0,40}\b(?:tests?|hooks?|checks?|verification|ci|linters?)\b/,
    ['skips_checks'],
  ],
  [
    /\b(?:clear|delet|eras|remov|wip|truncat|purg|destroy)\w*\b.{0,30}\b(?:logs?|audit trails?|(?:shell|command|bash) history|traces)\b/,
    ['erases_traces'],
  ],
  [
    /\b(?:more than one|several|multiple|stacked) (?:sql )?(?:statements?|queries|commands)\b/,
    ['stacked_statements'],
  ],
  [
    /\b(?:base64|encoded|hex)(?:[- ]encoded)? (?:data|text|payloads?|strings?|content)\b/,
    ['encoded_payload'],
  ],
  [
    /\b(?:format|partition|overwrit|wip|eras)\w*\b.{0,30}\b(?:disks?|drives?|volumes?)\b/,
    ['destructive_command'],
  ],
  [/\b(?:decod\w+|encod\w+) (?:from|in|with|as) base64\b/, ['obfuscated_command']],
  [/\bwritable (?:for|by) (?:everyone|everybody|anyone|all|others)\b/, ['privileged_command']],
  [/\b(?:hidden|invisible|zero[- ]width) (?:text|characters?|unicode)\b/, ['hidden_text']],
];

const outsideShape =
  /\b(?:outside(?: of)? (?:our|the) (?:cloud(?: account)?|tenant|premises|infrastructure|vpc|systems?|environment|intranet|own \w+)|outside|external|third[- ]part(?:y|ies)(?! (?:apps?|applications?|librar\w+|software|plugins?|integrations?|tools?|packages?|code|components?|models?|extensions?|scripts?)\b)|outsiders?|competitors?|(?:personal|private) (?:e?-?mails?|accounts?|address(?:es)?|inbox(?:es)?|mailbox(?:es)?)|public (?:internet|websites?|sites?|forums?|pastes?)|non-?(?:company|corporate|employees?)|other (?:companies|organi[sz]ations)|not (?:part of|belong\w* to|in) (?:our|the) (?:company|organi[sz]ation|domain))\b/;
const outsideNeedsReach =
  /\b(?:recipients?|address(?:es)?|domains?|company|companies|organi[sz]ation|part(?:y|ies)|e?-?mails?|servers?|services?|hosts?|accounts?|people|persons?|contacts?|guests?|users?|urls?|sites?|websites?|outsiders?|competitors?|network|endpoints?|internet|forums?|pastes?|inbox|mailbox(?:es)?|apis?|channels?|partners?|vendors?|suppliers?|clients?|consultants?|contractors?|agenc(?:y|ies)|attendees?|participants?|invitees?|collaborators?|viewers?|members?|freelancers?|auditors?|counterpart(?:y|ies)|senders?|individuals?|entit(?:y|ies)|counsel|firms?)\b/;

/** What a rule names in phrases of its own: kinds of data, facts of a trace, places outside. */
export interface Known {
  conditions: Condition[];
  rest: string;
  facts: FactName[];
  /** Data stands in the object of the act, not behind a preposition. */
  dataIsObject: boolean;
}

/** "Production secrets": which data is meant. */
const qualified = /\b(production|prod|live|staging|archived|legacy|shared|public)\s+$/;

/** "Passwords into source code": what stands behind "into" is the place, not the data. */
function takeData(text: string): {
  classes: DataClass[];
  rest: string;
  isObject: boolean;
  beside: string | undefined;
} {
  const found = dataShapes.flatMap(([shape, dataClass]) => {
    const match = shape.exec(text);
    return match === null ? [] : [{ dataClass, at: match.index, shape }];
  });
  const first = Math.min(...found.map(({ at }) => at));
  const kept = found.filter(({ at }) => !/\b(?:into|in|on|inside)\b/.test(text.slice(first, at)));
  const beside = kept.length > 0 ? qualified.exec(text.slice(0, first))?.[1] : undefined;
  let rest = text;
  for (const { shape } of kept) rest = rest.replaceAll(new RegExp(shape.source, 'g'), ' , ');
  const ofCustomers =
    kept.length > 0 &&
    /\bpersonal (?:data|information|details) of (?:\w+ ){0,2}(?:customers?|clients?|users?)\b/.test(text);
  if (ofCustomers) kept.push({ dataClass: 'customer', at: first, shape: /(?!)/ });
  const isObject = kept.length > 0 && !prepositions.test(text.slice(0, first));
  if (beside !== undefined) rest = rest.replace(new RegExp(String.raw`\b${beside}\s+,`), ',');
  return { classes: kept.map(({ dataClass }) => dataClass), rest, isObject, beside };
}

function takeFacts(text: string): { facts: FactName[]; rest: string } {
  const facts: FactName[] = [];
  let rest = text;
  for (const [shape, names] of factShapes) {
    if (!shape.test(text)) continue;
    // "Create accounts with administrator privileges" runs nothing.
    if (names[0] === 'privileged_command' && /\b(?:accounts?|users?|members?|roles?)\b/.test(text)) continue;
    facts.push(...names);
    if (names.some((name) => blanked.has(name)))
      rest = rest.replace(shape, (part) =>
        names.includes('sql_schema_change')
          ? ` ${part.replaceAll(schemaWords, ' ')} `
          : ` , ${(part.match(/\bb?cc\b/g) ?? []).join(' or ')}`,
      );
  }
  return { facts, rest };
}

/** "DROP or TRUNCATE on the orders table": which one stays. */
const schemaWords =
  /\b(?:drop|alter|truncat|chang|modif)\w*\b|(?<!\b(?:the|our) [a-z_]{3,30} )\b(?:tables?|schemas?|columns?|databases?|indexes|ddl)\b|\bschema changes?\b/g;

const blanked = new Set<FactName>([
  'unnamed_destination',
  'tainted_destination',
  'tool_output_leaves',
  'privileged_command',
  'system_path',
  'encoded_payload',
  'sql_schema_change',
]);

const leaveShape = /\bleav(?:e|es|ing) (?:the|our) (?:company|organi[sz]ation|network|premises|perimeter)\b/;

/** Takes the phrases that are known out of a lower-case text. */
export function takeKnown(text: string): Known {
  const conditions: Condition[] = [];
  const told = takeFacts(text.replace(leaveShape, ' send outside the company'));
  const data = takeData(told.rest);
  let { rest } = data;
  if (data.classes.length > 0) conditions.push({ test: 'data', classes: data.classes });
  if (data.beside !== undefined)
    conditions.push({ test: 'about', phrases: [{ words: [], hard: [data.beside] }] });
  const outside = outsideShape.exec(rest);
  const reached =
    outside !== null &&
    (/\b(?:to|with|for|at|on|into|from|via)\b/.test(rest.slice(0, outside.index)) ||
      /^(?:outside|personal|private)/.test(outside[0]) ||
      !outside[0].startsWith('competitor'));
  if (reached && outsideNeedsReach.test(rest) && !told.facts.includes('follows_embedded_instruction')) {
    conditions.push({ test: 'destination', where: 'outside', domains: [] });
    rest = rest.replaceAll(outsideTail, ' , ');
  }
  return { conditions, rest, facts: told.facts, dataIsObject: data.isObject };
}

const outsideTail = new RegExp(
  String.raw`${outsideShape.source}(?:\s+(?:of|to|our|the|company|organi[sz]ation|domains?|recipients?|address(?:es)?|part(?:y|ies)|services?|servers?|websites?|people|persons?|e?-?mails?|accounts?|apis?|hosts?|contacts?|with|for))*`,
  'g',
);

const fragmentsOf = (shapes: readonly RegExp[]): readonly string[] => [
  ...new Set(
    shapes.flatMap(
      ({ source }) => source.replaceAll(/\\[a-zA-Z]|\(\?<?[:!=]/g, ' ').match(/[a-z]{3,}/g) ?? [],
    ),
  ),
];

/** Beginnings of the words by which a sentence names a fact; what merely stands between them says something else. */
export const factFragments = (fact: FactName): readonly string[] =>
  fragmentsOf(factShapes.flatMap(([shape, names]) => (names.includes(fact) ? [shape] : [])));

/** The same for a kind of data. */
export const dataFragments = (kind: DataClass): readonly string[] =>
  fragmentsOf(dataShapes.flatMap(([shape, dataClass]) => (dataClass === kind ? [shape] : [])));
