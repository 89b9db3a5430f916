/** Brings the ways in which people put a rule to few: contractions, modals, emphasis, set phrases. */
type Rewrite = readonly [said: RegExp, plain: string];

const contractions: readonly Rewrite[] = [
  [/[’`´]/g, "'"],
  [/[“”]/g, '"'],
  [/\s+[–—]\s+|\s+-{1,2}\s+/g, ' — '],
  [/\b(?:can't|cant|can not)\b/gi, 'cannot'],
  [/\b(?:won't|wont)\b/gi, 'will not'],
  [
    /\b(do|does|did|must|should|would|could|is|are|was|were|has|have|had|may|need|might|shall)n'?t\b/gi,
    '$1 not',
  ],
  [/\be-mail/gi, 'email'],
  [/^nothing (?:but|except(?: for)?|other than)\s+/i, 'only '],
  [/\b(we|you|they)'re\b/gi, '$1 are'],
  [/\b(it|that|there|he|she|who)'s (?=not|never|a|an|the|been|ok|fine|forbidden|prohibited)/gi, '$1 is '],
  [/\bw\/o\b/gi, 'without'],
  [/\b(?:pls|plz)\b/gi, 'please'],
  [/\bprod\b/gi, 'production'],
];

/** Words that add weight or say whom the rule is for, and change nothing. */
const emphasis: readonly Rewrite[] = [
  [/^\s*(?:[-*•·]|\(?\d+(?:\.\d+)*[.)]|\([a-z]\)|[a-z]\))\s+/i, ''],
  [/^(?:rule|policy|note|important|reminder|security|guideline|requirement)\s*(?:\d[\d.]*)?\s*[:—-]\s*/i, ''],
  [
    /[,—]?\s*\b(?:full stop|period|no exceptions?|no matter what|ever|end of story|whatsoever|without exception|regardless|like ever|at all|at any time|at all times|in any way|in any case|in all cases|of any kind|(?:whatever|no matter) (?:the )?(?:reason|circumstances?|what|who asks)|for any reason|thanks|thank you|please)\s*[!.]*$/i,
    '',
  ],
  [
    /\b(?:please|kindly|simply|absolutely|strictly|explicitly(?= (?:forbidden|prohibited))|expressly(?= (?:forbidden|prohibited))|at all times|as a rule|in general|generally|under any circumstances?|in principle|of course|obviously|by itself|on its own(?: initiative)?|on (?:your|their) own(?: initiative)?|automatically|autonomously|unilaterally|whatsoever)\b,?\s*/gi,
    '',
  ],
  [
    /\b(?:on (?:their|his|her|someone's|somebody's|anyone's|a (?:user|customer)'s|the (?:user|customer)'s) behalf|on behalf of (?:the |a |any )?(?:user|customer|client|guest|patient|member|someone|anyone)s?)\b/gi,
    '',
  ],
  [
    /\s*\((?:[^()]{0,80}\b(?:art|article|section|see|per|cf|ref|gdpr|hipaa|sox|pci|iso)\b[^()]{0,80})\)/gi,
    '',
  ],
  [
    /\s+(?:in|via|through|using) (?:the |our |your |this )?(?:[a-z]{2,12} )?(?:system|platform|software|application|console|admin panel|backend|back office)(?=$|[\s,.])(?! (?:prompt|file))/gi,
    '',
  ],
  [
    /,?\s+(?:so that|in order to|to (?:prevent|avoid|comply|ensure|keep|protect)|because|as (?:this|that|it|they)|since (?:this|that|it|they|we))\b[^,;]*$/i,
    '',
  ],
  [
    /^(?:whoever|whatever|however|no matter (?:who|what|how)|regardless of (?:who|what|how)?|even if|even when)\b[^,]{2,60},\s*/i,
    '',
  ],
  [
    /\s+on behalf of (?:the |our |your |its )?(?:firm|company|organi[sz]ation|team|business|group|employer|agency|office|institution|bank|school|hospital)s?\b/gi,
    '',
  ],
  [/\s+(?:on|for|across|at) (?:all|every|each) (?:of )?(?:our |the )?[a-z]+$/i, ''],
  [
    /(?<=\b(?:read[- ]only|forbidden|prohibited|banned|off[- ]limits|hands off))\s+(?:for|to) (?:everybody|everyone|anybody|anyone|all(?: users| agents)?|the (?:agent|assistant|bot|ai))$/i,
    '',
  ],
  [
    /^(?:in accordance with|according to|under|per|pursuant to)\s+[^,]{3,80}\b(?:polic(?:y|ies)|procedures?|regulations?|law|act|gdpr|standards?|guidelines?)\b[^,]{0,20},\s*/i,
    '',
  ],
];

const agents = String.raw`(?:the |an? |any |all |every |no |our |your )?(?:ai |llm |virtual |automated |autonomous |software |support |coding |sales |travel |hr |booking |trading |shopping |research |data |ops |devops |billing |email |mail |scheduling )*(?:agents?|assistants?|bots?|chatbots?|models?|systems?|copilots?|automations?|ai|llm)`;

/** All ways of forbidding an act come to `must not`. */
const modals: readonly Rewrite[] = [
  [
    /\b(?:is|are) (?:never|not) (?:ok(?:ay)?|fine|acceptable|allowed|permitted|tolerated|welcome|an option|appropriate)\b(?! to\b)/gi,
    'is forbidden',
  ],
  [/\b(?:is|are|be) never (?=\w+(?:ed|en|sent|paid|made|put)\b)/gi, 'must not be '],
  [
    /\b(?:under no circumstances?|in no (?:case|event)|at no (?:time|point)|on no account|by no means)\b,?\s*(?:(?:may|shall|should|must|can|will|is|are) )?/gi,
    'never ',
  ],
  [
    /\bnever (?:the |an? |any )?(?:ai )?(?:assistants?|agents?|bots?|models?|systems?|ai)\s+(?=\w)/gi,
    'must not ',
  ],
  [/\bmust never ever\b|\bnever ever\b/gi, 'never'],
  [
    /\b(?:is|are|be) (?:hereby )?(?:(?:prohibited|forbidden|barred|banned|restricted|prevented|precluded|excluded|discouraged) from|(?:not|never) (?:to be )?(?:allowed|permitted|authori[sz]ed|supposed|entitled|meant|expected|licensed|cleared) to|not to|(?:forbidden|prohibited) to)\b/gi,
    'must not',
  ],
  [
    /\b(?:has|have|had) (?:no (?:business|right|permission|authority|reason|need|mandate)|zero business) (?:to|for|in )?\b/gi,
    'must not ',
  ],
  [/\b(?:has|have|need)(?:s)? to (?:never|not)\b/gi, 'must not'],
  [
    /\b(?:must|shall|should|may|can|could|will|does|do|did) (?:not|never)(?: ever)?\b|\bcannot\b|\b(?:is|are) never to\b|\b(?:ought|needs?) not(?: to)?\b/gi,
    'must not',
  ],
  [/\b(?:is|are) only (?:allowed|permitted|authori[sz]ed|entitled|cleared) to\b/gi, 'may only'],
  [/\b(?:is|are) (?:allowed|permitted|authori[sz]ed|entitled|cleared) to\b/gi, 'may'],
  [
    /\b(?:is|are) (?:required|obliged|obligated|expected|supposed|needed|to be made|mandated) to\b|\bha(?:s|ve) to\b|\bneeds? to\b|\bought to\b|\bgot to\b/gi,
    'must',
  ],
  [/\b(?:shall|should)\b(?! not)/gi, 'must'],
  [
    /^(?:we|you|they|i|one) (?:do not|must not|never) (?:want|like|wish|expect|need) (?:you|the agent|it|the bot|anyone|anybody|to see you|our agents?)?\s*(?:to )?/i,
    'must not ',
  ],
  [/^(?:we|you|it|i) (?:never|do not)\s+/i, 'must not '],
  [
    /^(?:nobody|no ?one|none)\s+(?:but|except(?: for)?|other than|besides|apart from)\s+(?:the |an? )?(.{2,50}?)\s+(?:may|must|can|gets? to|is allowed to|is)\s+/i,
    'only $1 may ',
  ],
  [
    /^(?:nobody|no ?one|no (?:agent|assistant|bot|user|employee|person)|none of (?:us|you|the agents|our agents))\s+(?:but (?:the )?[\w ]+? )?(?:may|must|can|is|gets?(?: to)?|ever|needs to|will)\s*(?:ever )?(?:be )?/i,
    'must not ',
  ],
  [
    /\b(?:refrain|abstain|desist|stay away|keep away) from\b|\brefuse to\b|\bsteer clear of\b|\bavoid\b|\bhold off(?: on)?\b|\b(?:never|do not) (?:ever )?(?:attempt|try|dare|offer|agree|volunteer|go ahead and|proceed) to\b|\bnever (?=\w)|\bdo not\b/gi,
    'must not ',
  ],
  [
    /\bmust not +(?:ever |also |directly |knowingly )*(?:let|allow|permit|enable)(?:ting|ing)? (?:the |an? |any |our |your )?(?:agents?|bots?|assistants?|ai|models?|it|you|yourself|users?|anyone|anybody|someone|them) (?:to )?/gi,
    'must not ',
  ],
  [/\b(?:is|are) not ok(?:ay)?\b/gi, 'is forbidden'],
];

const acts: readonly Rewrite[] = [
  [/\b(?:two|multi|2)[- ]factor(?: authentication| auth)?\b|\bone[- ]time (?:passcode|code)\b/gi, '2fa'],
  [/\b(?:log|sign)(?:ging|ning)?[- ](?:in|on)(?:to)?\b/gi, 'login to'],
  [/\b(?:log|sign)(?:ged|ned)?[- ](?:in|on)(?:to)?\b/gi, 'login to'],
  [/\b(?:turn|switch|shut|power)(?:ing|ed|s)?(?:[- ]|\s+(?=\w+ off))off\b/gi, 'disable'],
  [/\b(?:turn|switch)(?:ing|ed|s)? ((?:the |a |an |any )?[\w -]{3,30}?) off\b/gi, 'disable $1'],
  [/\b(?:turn|switch)(?:ing|ed|s)? on\b/gi, 'enable'],
  [/\b(?:shut|take|bring)(?:ting|ing|s)? down\b/gi, 'shutdown'],
  [/\b(?:get(?:ting)? rid of|throw(?:ing)? away|do(?:ing)? away with)\b/gi, 'delete'],
  [
    /\b(?:giv(?:e|en|ing)|hand(?:ed|ing)?) out\b|\bhand(?:ing)? over\b(?! to)|\bpass(?:ing)? (?:on|along)\b|\blet(?:ting)? slip\b/gi,
    'disclose',
  ],
  [
    /\bpass(?:ing|ed)? (?=(?:[\w'-]+ ){1,6}(?:on )?to\b)(?!(?:the |all )?(?:tests?|checks?|review))/gi,
    'share ',
  ],
  [/\btext messages?\b/gi, 'sms messages'],
  [/\bsign(?:ing)? (?:\w+ )?up\b/gi, 'subscribe'],
  [/\b(?:list|put up|put|offer)(?:ed|ing)? for sale\b/gi, 'sell'],
  [
    /^(?:.{0,30}?\b(?:must|may|shall) )?(?:stop|quit|give up|halt|abort|be locked|lock the account) after (?=(?:\d+|one|two|three|four|five|six|ten)\b)((?:(?! and )[^,])+?)(?:,? and .*)?$/i,
    'at most $1',
  ],
  [
    /^(?:stop|quit|give up|halt|abort)(?: trying| retrying)? after (?=(?:\d+|one|two|three|four|five|ten)\b)/i,
    'at most ',
  ],
  [/^(\w+) nothing\b/i, 'must not $1 anything'],
  [
    /^(?!.*\bmust not\b)(.{3,120}?) must (?:always )?be (?:rejected|refused|declined|denied|turned down|blocked)$/i,
    'must not approve, accept, pay, settle, confirm and process $1',
  ],
  [
    /\s+(?:that |which |who )?(?:they|the (?:user|customer|client|guest|patient)|he|she|you|nobody|no one) (?:must not|did not|has not|have not|never) (?:explicitly |specifically )?(?:ask(?:ed)?|request(?:ed)?|want(?:ed)?)(?: (?:for|to)(?: (?:it|them|do so|be \w+))?)?$/i,
    ' unless the user asked for it',
  ],
  [
    /\bmust be (\w+) (?:no|not) earlier than (\S+ (?:hours?|days?|weeks?|months?)) before\b/i,
    'must not be $1 more than $2 before',
  ],
  [
    /\bmust be (\w+) (?:no|not) later than (\S+ (?:hours?|days?|weeks?|months?)) before\b/i,
    'must not be $1 less than $2 before',
  ],
  [
    /\bmust be (\w+) (?:no|not) later than (\S+ (?:hours?|days?|weeks?|months?)) after\b/i,
    'must not be $1 more than $2 after',
  ],
  [
    /\bmust be (\w+) (?:no|not) earlier than (\S+ (?:hours?|days?|weeks?|months?)) after\b/i,
    'must not be $1 less than $2 after',
  ],
  [/\bterms (?:of (?:service|use)|and conditions)\b/gi, 'terms'],
  [
    /\b(?:gets?|is|are) (?:to be )?(?:rejected|refused|declined|turned down)\b(?= *(?:$|,))/gi,
    'is forbidden',
  ],
  [/\b(?:company|business) (?=(?:credit )?(?:cards?|phones?|cars?|laptops?)\b)/gi, 'corporate '],
  [/\bset(?:ting)? up\b/gi, 'create'],
  [/\b(?:sign|okay)(?:ed|s|ing)?[- ]off\b/gi, 'approve'],
  [/\bsign-?off\b/gi, 'approval'],
  [/\b(?:reach(?:ing)?|writ(?:e|ing)) (?:out|back) to\b/gi, 'send a message to'],
  [
    /\b(?:get|receive|have|obtain|gain|be given|given) (?=(?:(?:read|write|full|direct|admin|any) )*access\b)/gi,
    'be granted ',
  ],
  [/\bfollow-up\b/gi, 'followup'],
  [
    /\b(\d+|two|three|four|five|six|seven|ten|thirty|sixty|ninety)-(year|month|week|day|hour|minute)\b/gi,
    '$1 $2s',
  ],
  [/\bforce[- ]push(?:ing|ed|es)?\b/gi, 'push --force'],
  [/\bput(?:ting)? through\b/gi, 'process'],
  [/\broll(?:ing|ed|s)?[- ]?back\b/gi, 'rollback'],
  [/\b(?:roll|push)(?:ing|ed|s)?(?: to production| live)\b/gi, 'deploy to production'],
  [/\b(?:roll|push)ed[- ]out\b/gi, 'deployed'],
  [/\b(?:roll|push)(?:ing|s)?[- ]out\b/gi, 'deploy'],
  [/\breply(?:ing)?[- ](?:to )?all\b/gi, 'reply-all'],
  [
    /\bgiv(?:e|ing|en)\b(?! (?:out|up|back)\b)(?=.{0,60}\bto (?:the |an? |any |our )?(?:callers?|customers?|users?|clients?|third part\w+|anyone|anybody|others?|strangers?|suppliers?|competitors?|people|guests?|visitors?|partners?|the press|journalists?|vendors?|outsiders?|(?:other )?(?:employees?|colleagues?|staff|tenants?|patients?|students?|parents?|relatives?|coworkers?|insurers?|landlords?|recruiters?|candidates?))\b)(?!.{0,30}\b(?:gift|bonus|raise|loan|money|medication|discount|refund|credit|access|voucher|coupon|permission|right)s?\b)/gi,
    'disclose',
  ],
  [/\bcc(?:'ing|'d|ing)?\b/gi, 'cc'],
  [
    /\blet(?:ting)? ((?:the |a |an |any )?[\w' -]{3,40}?) (?:in ?to|access|see|have access to) /gi,
    'grant $1 access to ',
  ],
  [
    /\bmak(?:e|ing) ((?:the |a |an |any |our )?[\w' -]{3,40}?) public(?:ly (?:available|accessible|visible))?\b/gi,
    'share $1 public',
  ],
  [
    /\b(?:carry(?:ing)?|carried) out\b|\bconduct(?:ing|ed)?\b|\bundertak(?:e|ing|en)\b|\beffect(?:ing|ed)?(?= (?:a|any|the|an) )|\binitiat(?:e|ing|ed)\b|\bengag(?:e|ing) in\b|\bcommenc(?:e|ing|ed)\b|\bproceed(?:ing)? with\b/gi,
    'perform',
  ],
  [
    /\b(?:exceeding|in excess of|greater than|higher than|larger than|bigger than|beyond|upwards of|north of)(?= (?:[$€£\d]|eur|usd|gbp|chf|a |one|two|three|five|ten))/gi,
    'over',
  ],
  [/\b(?:fewer|lower|smaller|shorter) than\b/gi, 'less than'],
  [/\bdestructive (?:sql|quer(?:y|ies)|statements?)\b/gi, 'deletions'],
  [/\b(?:a|per|each) (?:night|person|head|item|unit|piece|seat)\b/gi, ''],
  [/\b(?:that is|namely|for example|for instance|such as|including|e\.g\.,?)(?=\s)/gi, ','],
  [/\bi\.e\.,?/gi, ','],
];

const apply = (text: string, rewrites: readonly Rewrite[]) =>
  rewrites.reduce((said, [shape, plain]) => said.replace(shape, plain), text);

const agentStart = new RegExp(
  String.raw`^(?:${agents}|you|it|we|they|employees acting through the agent)\s+(?=(?:must|may|can|could|will|only|always|never|is|are|has|have|needs?|requires?)\b)`,
  'i',
);

/** One statement of a rule, in few and plain words. */
export function plainWords(statement: string): string {
  let text = apply(statement.trim(), contractions);
  text = apply(text, emphasis);
  text = apply(text, emphasis.slice(2, 3));
  text = apply(text, modals);
  text = apply(text, acts);
  return text
    .replace(agentStart, '')
    .replace(/\bmust not\s+(?:must not\s+)+/g, 'must not ')
    .replaceAll(/\s{2,}/g, ' ')
    .replace(/[\s,;:.!—-]+$/, '')
    .trim();
}
