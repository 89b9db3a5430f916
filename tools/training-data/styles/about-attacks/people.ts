import { textList } from '../../words/text-list.ts';

/** Reports, teaching, quotation, counter-speech and help about hate, violence, self-harm and the rest. */
export const aboutPeople = textList`
0 | Saying that refugees are criminals is wrong, and it's unfair to the thousands who work in our hospitals and kitchens every night.
0 | He called my sister a name because of her headscarf. I told him that people like her keep this town running, and that he should be ashamed.
0 | "Women can't lead" was written on the board. We discussed in class why that's nonsense and who might want to believe it.
0 | If you think that all members of a religion think alike, talk to two of them.
0 | The comment "go back to where you came from" was reported 300 times and removed. The woman it was aimed at was born in Hamburg.
0 | Counter-speech works best when it's calm, quick and not alone, the study of 40 forums shows.
0 | I'm gay and I'm tired of having to explain that it is not an illness. But I'll do it again: it is not.
0 | Racism isn't an opinion. It hurts people at school, at the office, on the bus.
0 | Exhibition: how posters of the 1930s turned neighbours into enemies. With tours for school classes.
0 | In the trial the prosecutor read out the messages of the group, which called for attacks on a synagogue. The defendants remained silent.
0 | How do I answer my uncle who says at each dinner that foreigners are lazy? I want to stay polite but not silent.
0 | Lesson plan: recognising hate speech. Pupils sort twelve statements into opinion, insult and incitement. The statements are paraphrased on purpose.
0 | The old law banned women from the profession; it was repealed in 1958. An article for our jubilee book.
0 | People with disabilities told us which words hurt them and which they like. A short list for editors.
0 | What does the term "dog whistle" mean in politics, and how did historians come to use it?
0 | Moderators' guide: a slur used to report abuse is not the same as a slur used to abuse. Look at who speaks, to whom and for what purpose.
0 | My team mate was booed because of his skin colour. The whole team left the pitch. I have never been prouder.
0 | Not all men, not all women, not all anybody: how generalising poisons debates. Column.
0 | The novel shows a village turning against a Roma family. It is told by the girl next door, who does not understand and then does.
0 | Please review my talk for the memorial day: "They were neighbours, teachers, bakers. Then laws made them strangers."
0 | Two people were hurt in a fight outside a club on Saturday night. The police are looking for witnesses.
0 | The film contains scenes of war, among them the bombing of a village. Not recommended under sixteen.
0 | Domestic violence: where to turn in our county. The shelter answers the phone day and night. You don't have to give your name.
0 | My neighbour shouts at his wife each night and I hear things break. What can I do without making it worse for her?
0 | Historians estimate that the siege cost forty thousand lives, most of them lost to hunger and cold.
0 | As a nurse in the emergency room I see the marks of violence. Which documents will help a patient later in court?
0 | How do I explain to a six year old what a war is? She saw pictures on the news.
0 | The knife attack in the tale is meant to shock; the poet took it from a court file of 1821.
0 | Self-defence course for women over fifty: we train loud voices and quick exits rather than throws.
0 | Study: children who are beaten get ill more often as adults. Twenty countries, forty years of data.
0 | Our school has a plan for the case of a threat. Write a letter to parents that explains the drill without frightening anyone.
0 | The documentary asks why young men joined the militia. It lets mothers speak, and a judge.
0 | Book review: a thriller about a poisoner with too many coincidences. Two stars.
0 | "I'll kill him," she laughed, "he ate the last piece." A scene from our sketch night.
0 | The general said: "We will bury them." What did he mean, and how has it been translated?
0 | What is the difference between murder and manslaughter in German law?
0 | Stalking: how victims can keep a diary that counts as evidence. Leaflet.
0 | Boxing for beginners: guard, jab, breathing. No sparring in the first month.
0 | First aid for a cut with a kitchen knife: press, raise, bandage. When to see a doctor.
0 | Chapter 3 deals with the assassination of the archduke and the weeks after.
0 | A helpline for people with thoughts of suicide has been opened in our town. Calls are free and anonymous.
0 | How to talk about suicide in the media: no methods, no glorifying, always name a place to get help. Guideline for editors.
0 | My friend hinted that she doesn't want to live any more. I'm scared. What can I say to her tonight, and whom can I call?
0 | Warning signs of self-harm in teenagers: what school nurses should look out for, and how to begin a talk.
0 | The ward for eating disorders takes twelve patients. They cook together; scales are out of sight.
0 | Eight years ago our son took his own life. We've started a group for parents like us. We meet on first Mondays.
0 | The study followed 900 people after an attempt. Brief contacts by postcard lowered the number of new attempts.
0 | Song analysis: the line about "the end of the road" is often read as being about suicide; the singer says that it's about a tour.
0 | Bridge barriers save lives, and people do not simply go elsewhere: a review of nine studies.
0 | As a teacher, am I obliged to tell the parents if a pupil shows me cuts on her arm?
self? | I used to hurt myself when I was fifteen. I'm thirty now and I want others to know that it can get better.
self? | Two years without cutting today. My therapist baked a cake.
self? | A poem I wrote after the clinic: I counted the tiles, I counted the days, and one day I forgot to count.
0 | What does suicide prevention cost and what does it save? An economist's view.
0 | Kill switch, dead man's handle, suicide burn: odd words of engineering and where they come from.
0 | Sex education, year 6: the body changes. Material for parents' evening.
0 | How do I talk with my teenager about consent?
0 | The court found the director guilty of sexual harassment. The union calls for a complaints office.
0 | Article on the history of the bikini.
0 | Breast cancer screening: who gets invited and what takes place?
0 | The museum shows nudes by painters of four centuries. School groups are welcome.
0 | A guide for clubs on preventing abuse: two adults, open doors, clear rules, a person of trust.
0 | Which questions may a doctor ask about sexual health, and why?
prof | He was quoted as saying "this is a load of shit", and the paper printed it in full. Should it have?
prof | In the transcript, the coach says "move your ass" eleven times. The club fined him.
0 | Swear words in literature: a linguist counts them and finds more in diaries than in novels.
0 | How do you bleep out a word in a video?
0 | My son has started to swear. How do I react without making it more fun for him?
prof | "What the hell, that's a damn good pie," said grandma, and everyone stared.
0 | Drug policy: what happened to overdose deaths after the reform? Table and sources, please.
0 | A former dealer tells pupils how he lost ten years. The talk is part of the prevention week.
0 | Chemistry of poisons in detective novels: what the authors got wrong. Talk at the library.
0 | The ban on landmines: which states signed and when?
0 | What are the signs of human trafficking that hotel staff should know?
0 | Fraud on dating sites: how the police in three states work with banks to stop payments.
0 | My mother got a call from "her grandson" who needed money. She hung up. How do I praise and prepare her?
0 | Why do people join extremist groups, and how do they get out? Interview with a street worker.
0 | The journalist went under cover in a far-right chat group. Her book paraphrases rather than quotes.
0 | Bullying: a girl reads aloud what was written on her. The class is silent. Then one boy says sorry. Scene from our play.
0 | Content note: this chapter mentions rape. Skip to page 40 if you like.
0 | The report lists attacks on mosques and synagogues by county and year. Numbers rose again.
0 | Translate for a leaflet: "You are not to blame. Violence is never your fault."
0 | Peace research: under which conditions do cease-fires hold?
0 | Reporting form: What did you see? Where? Was anybody threatened? Did you keep a screenshot?
0 | In chess slang one "kills" the bishop and "murders" the opponent. Ideas for kinder words in a kids' club?
0 | I wrote a satire in which cats discriminate against dogs at work. Is it clear that it's about people?
0 | Which arguments against the death penalty does the novel put forward?
0 | What did the civil rights marchers sing?
hate? | The pamphlet of 1938, shown in room 4, says that they were parasites. The label next to it says who was meant, who wrote it, and who was dead seven years later.
hate? | From the court file: the accused had shouted that people like them belonged in camps. He told the judge that it had been a joke.
viol? | Witness statement, read out in court: he had her by the hair and hit her head on the door, again and again. The jury was given a break.
viol? | War diary, 12 November. They brought in the boy from the mill. There was nothing left of the leg. He asked for water and for his dog.
`;
