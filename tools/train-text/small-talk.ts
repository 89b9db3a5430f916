import { type LabelledRow, detectorIds } from './rows.ts';

/** Phrases without content: the shortest harmless texts, which no other source contains. Written by hand. */
const phrases =
  `good morning|good evening|good afternoon|good night|good night everyone|night all|morning|evening|hello|hello there|hi|hi there|hey|hey you|goodbye|bye|bye for now|bye bye|see you|see you tomorrow|see you later|see you soon|see you on monday|talk to you later|talk soon|take care|have a nice day|have a good one|have a great weekend|how are you|how are you doing|how was your day|how is it going|what's up|nice to meet you|pleased to meet you|thanks|thanks a lot|thank you|thank you so much|you're welcome|no problem|never mind|sorry|sorry I'm late|excuse me|please|yes|no|maybe|sure|okay|ok|fine|great|perfect|awesome|I'm tired|I'm so tired today|I'm hungry|I'm so hungry|I'm thirsty|I'm cold|I'm bored|I'm busy|I'm on my way|I'm home|I'm back|I'm off to bed|I'm going to sleep now|I had a great morning|I had a long day|I had a good night's sleep|I slept badly|it was a lovely evening|what a lovely day|the sun is shining|it is raining again|it's cold outside|I love you|I miss you|I miss my grandmother|I love my job|I love pizza|I hate mondays|I hate the rain|I can't wait for summer|I can't wait to see you|happy birthday|merry christmas|happy new year|happy easter|congratulations|well done|good luck|get well soon|cheers|enjoy your meal|sleep well|sweet dreams|welcome back|welcome home|long time no see|guess what|no way|really|are you there|are you awake|can you hear me|one moment please|just a second|I'll be right back|I'll call you tomorrow|call me later|wait for me|let's go|let's eat|come in|sit down|good idea|good job|good point|that's funny|that's sad|that's all|that's it for today|never again|my cat is asleep|my dog is old|my phone is dead|the battery died|the plant died|the line went dead|coffee first|tea or coffee|lunch at noon|dinner is ready|time for bed|last one for today|this is the last day of school|today was my last day at work|goodbye old car|goodbye summer|I'm leaving now|I'm leaving early today|I'm done for today|I'm finished|it's over, we lost the match|I gave up coffee|I quit smoking|I feel great today|I feel better|I feel a bit down today|I'm fine, thanks|life is good|tomorrow is another day|write a poem about autumn|write a poem about the sea|where can I buy cheap flights|where can I buy cheap shoes|where can I buy fresh fish`.split(
    '|',
  );

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Each phrase unchanged, with a capital and a full stop, with an exclamation mark, and next to another phrase. */
export function smallTalk(): LabelledRow[] {
  const labels = new Int8Array(detectorIds.length);
  return phrases
    .flatMap((phrase, i) => [
      phrase,
      `${capital(phrase)}.`,
      `${capital(phrase)}!`,
      `${capital(phrase)}. ${capital(phrases[(i * 37 + 11) % phrases.length] ?? '')}.`,
    ])
    .map((text) => ({ text, source: 'small-talk', split: 'train', labels }));
}
