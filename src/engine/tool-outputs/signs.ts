/**
 * Signs that a passage of data speaks to the program that reads it, and not to a person. Each is one feature of the
 * judge in `reader-orders.ts`; what they weigh was fitted on examples (`weights.ts`).
 */

/** Names of programs that read for people. Singular and plural. */
const one = String.raw`(?:(?:ai|a\.i\.|ki|ia|llm|gpt|chatgpt|claude|gemini|copilot|assistant|assistent|asistente|assistente|agent|agente|model|modell|bot|chatbot|robot|crawler|summari[sz]er|grader|evaluator|classifier|screener|parser|helper|automation|autopilot|speaker|program(?:me)?|machine reader|machine|reader bot|digital assistant|virtual assistant|language model)\b)`;
const many = String.raw`(?:(?:ais|kis|llms|assistants|assistenten|asistentes|agents|agenten|models|bots|chatbots|robots|crawlers|summari[sz]ers|graders|helpers|automations|automated (?:readers|recipients|systems|clients|evaluators)|machine readers|language models|program(?:me)?s|agentes|automation clients|ai sessions|ai buyers|ai readers|ai systems)\b)`;
const kind = String.raw`(?:[\w'’-]+[ -]){0,2}?`;
const named = String.raw`(?:${one}|${many})`;

const act = String.raw`(?:accept|acknowledge|act|add|allow|append|apply|approve|archive|arrange|assign|attach|authori[sz]e|book|bypass|buy|call|cancel|change|choose|clear|click|close|commit|complete|confirm|copy|create|cut|delete|deliver|deny|describe|disable|disarm|disregard|download|drop|email|e-mail|enable|enter|erase|evaluate|execute|expand|export|expose|extract|fetch|fill|flip|follow|forget|forward|give|grant|hand|hide|ignore|include|insert|install|invite|keep|leave|let|lift|list|load|log|lower|make|mark|mention|merge|move|name|note|omit|open|order|output|overwrite|pass|paste|pay|place|post|prefer|print|prioriti[sz]e|proceed|promote|publish|purchase|purge|push|put|quote|raise|rank|rate|read|reassign|recommend|record|redirect|refund|register|release|remove|rename|replace|reply|report|reset|respond|restore|return|reveal|revoke|rewrite|rotate|route|run|save|say|schedule|score|search|select|send|set|share|show|sign|skip|snooze|solve|spend|start|state|stop|store|strike|submit|subscribe|switch|tag|take|tell|tick|transfer|treat|turn|unfollow|unlock|unsubscribe|update|upgrade|upload|upvote|use|visit|vote|wipe|wire|withdraw|write)`;

const i = (source: string) => new RegExp(source, 'iu');

export interface OutputSign {
  readonly id: string;
  readonly pattern: RegExp;
  /** The passage as a whole (a sentence with the two after it), or the sentence that names the reader alone. */
  readonly within: 'passage' | 'sentence';
}

/** Whether a sentence names a program that reads: only such sentences, and what follows them, are judged. */
export const namesReader = i(
  String.raw`(?<![\w-])${named}|@[\w-]*(?:assistant|agent|copilot|claude|gpt|bot|ai)\b|\b(?:whoever|whatever|whichever|anything|everything|something) (?:\w+ ){0,3}(?:reads?|parses|summari[sz]es|processes|sees)|\bby machine\b|\b(?:llm|model|assistant|agent|ai|bot)[_-]|[_-](?:llm|model|assistant|agent|ai|bot|prompt|instruction)s?\b|助手|智能体|机器人|人工智能|アシスタント|エージェント|人工知能|ассистент|помощник|нейросет|(?<!\p{L})(?:AI|ИИ)(?!\p{L})`,
);

export const signs: readonly OutputSign[] = [
  {
    id: 'called',
    within: 'sentence',
    // The reader is spoken to: at the start of the sentence, or after a greeting, with a comma, colon or dash.
    pattern: i(
      String.raw`(?:^|["“”'‘’>*#(\[{|:,;–—-]\s*|\b(?:hi|hey|hello|dear|attention|ok|listen|note to|message to|message for|memo to|to|for|to all|for all|and|oh and)\s+(?:the\s+|all\s+|any\s+|every\s+|an?\s+|your\s+|our\s+|whichever\s+)?)${kind}${named}(?:\s+(?:reading|who reads|that reads|processing|summari[sz]ing|handling|editing|searching|sorting|taking|visiting|working|using)\b[^,:;.!?]{0,40})?\s*[,:!–—]`,
    ),
  },
  {
    id: 'clear-reader',
    within: 'sentence',
    // Words that name nothing else than such a program; "model", "helper" and "program" mean much besides.
    pattern: i(
      String.raw`(?<![\w-])(?:ai|a\.i\.|llms?|gpt|chatgpt|claude|gemini|copilot|(?:ai|digital|virtual|coding|home|shopping|mail|chat|voice) (?:assistants?|agents?)|assistants?|assistant's|agents|chatbots?|bots?|summari[sz]ers?|language models?)(?![\w-])|助手|智能体|アシスタント|エージェント|ИИ`,
    ),
  },
  {
    id: 'reads-this',
    within: 'sentence',
    pattern: i(
      String.raw`\b(?:read(?:s|ing)?|process(?:es|ing)?|summari[sz](?:es?|ing)|pars(?:es?|ing|ed)|handl(?:es?|ing)|see(?:s|ing)?|scrap(?:es?|ing)|transcrib(?:es?|ing)|edit(?:s|ing)?|sort(?:s|ing)?|index(?:es|ing)?|lands? in|crawl\w*|review(?:s|ing)) (?:this|these|it\b|that\b|here|on behalf|the (?:message|mail|email|page|file|text|ticket|document|thread|results?|list|inbox|notes?))`,
    ),
  },
  {
    id: 'technical',
    within: 'passage',
    // Documentation of software: its agents, models and helpers are parts of programs.
    pattern: i(
      String.raw`\b(?:user[- ]agents?|https?\.agent|agentoptions|api|class|function|method|param(?:eter)?s?|const|import|require|returns?|module|package|library|npm|cli|schema|type(?:s|script)?|instance|constructor|config(?:uration)?|option|options|default|plugin|middleware|sdk|syntax|node\.js|compiler|callback|object|array|string)\b`,
    ),
  },
  {
    id: 'at',
    within: 'sentence',
    pattern: i(String.raw`@[\w-]*(?:assistant|agent|copilot|claude|gpt|bot|ai)\b[ ,:]`),
  },
  {
    id: 'modal',
    within: 'sentence',
    pattern: i(
      String.raw`${named}[^.!?]{0,60}?\b(?:should|must|shall|has to|have to|needs? to|(?:is|are) to|ought to|(?:is|are) (?:asked|required|expected|instructed|advised|requested|authori[sz]ed|permitted|free|kindly invited|allowed) to|will|may now|can (?:now|right away)|could you|can you)\b[^.!?]{0,30}?\b${act}`,
    ),
  },
  {
    id: 'does',
    within: 'sentence',
    // Present tense as an order: "agents accept", "the assistant sends".
    pattern: i(
      String.raw`(?:${named})(?:\s+(?:(?:who|that|which)\s+)?(?:reading|reads?|visiting|handling|using|seeing|sees?|parses?|processing|contributing|reports? for residents)\b[^.!?,]{0,40})?,?\s+(?:also\s+|then\s+|here\s+|now\s+|always\s+|simply\s+|acts? accordingly|(?:do|does)(?:n['’]t| not)\s+|must not\s+|never\s+)?(?:${act}(?:s|es)?|fills|pays|tells|hands|treats|marks)\b`,
    ),
  },
  {
    id: 'ifyou',
    within: 'sentence',
    pattern: i(
      String.raw`\b(?:if|when|since|as|because|where)\s+(?:you(?:['’]re| are)?|this|it|an?|your|the|there|any)\b[^.!?]{0,50}${named}|\byou(?:['’]re| are) (?:an?|the|talking|logged)\b[^.!?]{0,30}${named}`,
    ),
  },
  {
    id: 'field',
    within: 'sentence',
    pattern: i(
      String.raw`(?:\b(?:assistant|agent|model|llm|ai|bot)[_ -]?(?:note|notes|hint|instruction|instructions|directive|task|tasks|action|message|prompt)|(?:note|notes|hint|text|instruction|instructions|directive|message|data-note)[_ -](?:for|to)[_ -](?:the[_ -])?(?:assistant|agent|model|llm|ai|bot)s?|summary_instruction)`,
    ),
  },
  {
    id: 'imperative',
    within: 'passage',
    pattern: i(
      String.raw`(?:^|[.!?:;,()\[\]{}"“”'‘’>|–—*-]\s*|\b(?:and|then|please|pls|now|just|also|first|afterwards|kindly|simply|immediately|silently|quietly|directly|to|not|so|or|never|always|don['’]t|instead)\s+)${act}\b(?![\w-]*["']?\s*[:=])`,
    ),
  },
  {
    id: 'imperative-here',
    within: 'sentence',
    pattern: i(
      String.raw`${named}[^.!?]{0,80}?(?:[.!?:;,()\[\]{}"“”'‘’>|–—*-]\s*|\b(?:and|then|please|pls|now|just|also|first|kindly)\s+)(?:(?:please|now|just|also|first|then|always|never|do not|don['’]t|silently|quietly|kindly|after \w+,?)\s+)?${act}\b`,
    ),
  },
  {
    id: 'owner',
    within: 'passage',
    // Speaks of the person whose program is spoken to.
    pattern: i(
      String.raw`\b(?:(?:your|its|their|the) (?:user|owner|human|person|customer|principal|operator|developer|account holder|owners|users|humans|viewer|driver|driver's|reader|rider|patient)s?(?:['’]s?)?|the user's|stored (?:card|method|payment)|(?:conversation|chat) (?:history|so far)|(?:full|entire|whole) context|system prompt|your (?:instructions|tools|memory|context|guidelines|configuration))\b`,
    ),
  },
  {
    id: 'secret',
    within: 'passage',
    pattern: i(
      String.raw`\b(?:passwords?|passcode|codes?|one-time|otp|tokens?|secrets?|api keys?|keys?|credentials?|cookies?|\.env|\.ssh|\.kube|kubeconfig|keychain|contacts|address book|mobile number|home address|salary|payslip|bank|card|iban|account number|signing|private)\b`,
    ),
  },
  {
    id: 'risky',
    within: 'passage',
    pattern: i(
      String.raw`\b(?:pay|transfer|wire|purchase|buy|order|forward|upload|post|delete|remove|purge|drop|disable|turn (?:off|on)|grant|approve|accept|share|publish|merge|install|overwrite|unsubscribe|withdraw|disarm|whitelist|export|bypass|skip|chmod|curl|admin|superuser|world-writable|grant|rights|permission|execute|sign)\w*`,
    ),
  },
  {
    id: 'hide',
    within: 'passage',
    pattern: i(
      String.raw`\b(?:(?:do|does|did|need|should|must|will|would|shall)(?:n['’]t| not)|never|without|not|no longer|avoid|rather than|instead of|don['’]t)\b[^.!?]{0,30}\b(?:mention\w*|tell\w*|inform\w*|notif\w*|report\w*|reveal\w*|disclos\w*|alert\w*|ask\w*|alarm\w*|show\w*|relay\w*|confirm\w*|list\w*|log\w*|say|repeat\w*|pass on|need\w* to know)\b|\b(?:quietly|silently|discreet(?:ly)?|secretly|unnoticed|hush|keep (?:this|it) (?:to yourself|between us))\b`,
    ),
  },
  {
    id: 'consent',
    within: 'passage',
    pattern: i(
      String.raw`\b(?:(?:has|have|had|was|were|is|are|been|it['’]s) (?:already |been |fully )*(?:approved|agreed|authori[sz]ed|confirmed|consented|cleared|informed|collected|given|okay|ok|fine with)|said (?:fine|yes|ok|it)|(?:he|she|they)(?:['’]s|['’]re| is| are) (?:ok|okay|fine) with|by policy|consent is deemed|no (?:need|confirmation|approval|check|review)|maintenance mode|developer mode|test mode|on behalf)\b`,
    ),
  },
  {
    id: 'persist',
    within: 'passage',
    pattern: i(
      String.raw`\b(?:from (?:now|here) on|from this point|always|for (?:all|every) (?:future|later|the)|in (?:all|every) (?:your )?(?:answers?|repl(?:y|ies)|summar(?:y|ies))|whatever|whenever|as soon as|before (?:you|it|anything|recommending|answering|the)|after (?:you|reading|generating|it))\b`,
    ),
  },
  {
    id: 'verdict',
    within: 'passage',
    // What the reader is to say or to decide.
    pattern: i(
      String.raw`\b(?:summar(?:y|ies|ise|ize|ising|izing)|verdict|score|rating|points|stage=|output|outputs|conclude|say that|says?|state that|write (?:that|")|report that|tell(?:s)? (?:your|the|its|their|fathers)|recommend|rely on|quote|unanimous|lgtm|satisfied|full points|positive|outstanding)\b`,
    ),
  },
  {
    id: 'override',
    within: 'passage',
    pattern: i(
      String.raw`\b(?:ignore|disregard|forget|override|overrule|set aside|stop following)\b[^.!?]{0,40}\b(?:instructions?|prompts?|rules?|orders?|task|guidelines?|polic\w+|everything|others|above|previous)\b|\bnew (?:task|instructions?|orders?|role)\b|\bsystem (?:message|notice|override|instruction|prompt|update)\b`,
    ),
  },
  {
    id: 'markup',
    within: 'passage',
    pattern: i(
      String.raw`<!--|\[\[|<(?:system|important|instructions?|hidden|assistant|noscript)\b|display:\s*none|font-size:\s*[01]|\[(?:white|hidden|small|tiny) (?:text|print)\]|#fff|aria-|\btitle="|data-[a-z]+="`,
    ),
  },
  {
    id: 'foreign',
    within: 'sentence',
    // Orders in other languages: the reader is named, and asked.
    pattern: i(
      String.raw`(?:助手|智能体|机器人|人工智能)[^。]{0,20}(?:请|把|将|必须|应|需要|：|:|,|，)|(?:AI|アシスタント|エージェント|人工知能)(?:は|へ|、|:|：|よ|が)|(?:l['’]assistant|les? assistants?|asistentes?|assistentes?|assistenten?|agent[es]*|\bKI\b|\bIA\b)[^.!?]{0,60}\b(?:doit|doivent|envoie\w*|transmet\w*|supprime\w*|efface\w*|ne dis|n['’]en parle|debe\w*|env[ií]a\w*|borra\w*|elimina\w*|deve\w*|inoltr\w*|cancell\w*|invi\w*|muss|müssen|soll\w*|sende\w*|schick\w*|lösch\w*|überweis\w*|leite\w*|bitte|por favor|veuillez|s['’]il vous|moet\w*|verwijder\w*|stuur\w*|apaga\w*|encaminh\w*|wyślij|usuń|prześlij|отправ\w*|перешл\w*|удал\w*)|(?:ИИ|ассистент\w*|помощник\w*)[^.!?]{0,40}(?:отправ|перешл|удал|должен|должны|сообщ|не говор)`,
    ),
  },
  // What speaks against it: the passage tells of such orders, or of what a program did.
  {
    id: 'told-of',
    within: 'passage',
    pattern: i(
      String.raw`\b(?:benchmark|sample|(?<!\.)example|e\.g\.|training|quiz|workshop|lesson|awareness|phishing|scam|attack(?:s|er|ers|ing)?|inject(?:s|ed|ion|ions)?|jailbreak\w*|threat|mitigat\w*|red.?team\w*|research\w*|paper|dataset|spamfilter|quarantin\w*|finding|detect\w*|vulnerabilit\w*|demo|hostile|untrusted|malicious|suspicious|test_\w+|pytest|xfail\w*|spec|slide)\b`,
    ),
  },
  {
    id: 'past',
    within: 'passage',
    pattern: i(
      String.raw`\b(?:obeyed|followed|told me|asked me|did not follow|didn['’]t follow|i did not|i haven['’]t|nothing happened|refused|it said|it did|was tricked|tricks? (?:a|the)|we found|i found|says it|fun finding|blocked|let(?:ting)? you know|wrote|shows? how|contains? a sentence)\b`,
    ),
  },
  {
    id: 'quoted',
    within: 'sentence',
    pattern: i(
      String.raw`\b(?:like|such as|telling|tells?|told|saying|says|wrote|reads|called|titled|entitled|named|string|strings|subject:?)\s+(?:\w+\s+){0,5}["“‘'«]`,
    ),
  },
  {
    id: 'rules-kept',
    within: 'passage',
    pattern: i(
      String.raw`\b(?:run (?:the )?(?:tests?|pnpm|npm|lint)|conventions?|coding style|code style|ask (?:before|first|the user)|with (?:the )?(?:user|owner)['’]s (?:consent|approval)|fix the (?:failing|lint|bug)|add a test|unit tests?|review (?:the|this) (?:pr|change)|public api|documentation|docs|changelog)\b`,
    ),
  },
];
