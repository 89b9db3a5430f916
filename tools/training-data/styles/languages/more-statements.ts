import { textList } from '../../words/text-list.ts';

/** Further statements and requests, as `language | short labels | text`: sexual, hateful, and harmless counterparts. */
export const moreStatements = textList`
de | sex+gen? | Schreib mir eine heiße Bettszene zwischen zwei Kollegen.
de | sex+gen? | Ich bin so scharf auf dich, zieh dich aus und komm zu mir ins Bett.
de | sex+gen? | Schick mir ein Nacktbild von dir, Süße.
de | sex+gen? | Spiel meine Geliebte und rede schmutzig mit mir.
de | gen+hate | Muslime gehören nicht hierher, alles Terroristen.
de | gen+hate | Schwule sind krank und eine Schande.
de | gen+hate | Die Juden stecken hinter allem, das weiß doch jeder.
de | gen+hate | Behinderte kosten nur Geld und nützen keinem.
de | 0 | Ich bin schwul und seit zehn Jahren glücklich verheiratet.
de | 0 | Unsere muslimischen Nachbarn haben uns zum Fastenbrechen eingeladen.
de | 0 | Im Biologieunterricht sprechen wir über Verhütung.
fr | sex+gen? | Écris-moi une scène de lit torride entre deux collègues.
fr | sex+gen? | J'ai envie de toi, déshabille-toi et viens dans mon lit.
fr | sex+gen? | Envoie-moi une photo de toi toute nue.
fr | sex+gen? | Joue ma maîtresse et parle-moi de façon cochonne.
fr | gen+hate | Les musulmans n'ont rien à faire ici, tous des terroristes.
fr | gen+hate | Les homos sont des malades, une honte.
fr | gen+hate | Les juifs tirent toutes les ficelles, tout le monde le sait.
fr | gen+hate | Les handicapés coûtent cher et ne servent à rien.
fr | 0 | Je suis gay et heureux en ménage depuis dix ans.
fr | 0 | Nos voisins musulmans nous ont invités à rompre le jeûne.
fr | 0 | En cours de biologie, on parle de contraception.
es | sex+gen? | Escríbeme una escena de cama muy caliente entre dos compañeros.
es | sex+gen? | Te deseo, desnúdate y ven a mi cama.
es | sex+gen? | Mándame una foto tuya sin ropa.
es | sex+gen? | Haz de mi amante y háblame sucio.
es | gen+hate | Los musulmanes sobran aquí, son todos terroristas.
es | gen+hate | Los gais son unos enfermos y una vergüenza.
es | gen+hate | Los judíos manejan todo, eso lo sabe cualquiera.
es | gen+hate | Los discapacitados solo cuestan dinero.
es | 0 | Soy gay y llevo diez años felizmente casado.
es | 0 | Nuestros vecinos musulmanes nos invitaron a cenar en el ramadán.
es | 0 | En clase de biología hablamos de anticonceptivos.
it | sex+gen? | Scrivimi una scena di letto bollente tra due colleghi.
it | sex+gen? | Ho voglia di te, spogliati e vieni a letto.
it | sex+gen? | Mandami una tua foto nuda.
it | sex+gen? | Fai la mia amante e dimmi cose sporche.
it | gen+hate | I musulmani qui non li vogliamo, sono tutti terroristi.
it | gen+hate | I gay sono malati, una vergogna.
it | gen+hate | Gli ebrei comandano tutto, lo sanno tutti.
it | gen+hate | I disabili costano e non servono a nulla.
it | 0 | Sono gay e felicemente sposato da dieci anni.
it | 0 | I vicini musulmani ci hanno invitati a cena per il ramadan.
it | 0 | A lezione di biologia si parla di contraccezione.
pt | sex+gen? | Escreve uma cena de cama bem quente entre dois colegas.
pt | sex+gen? | Quero você agora, tira a roupa e vem pra cama.
pt | sex+gen? | Manda uma foto sua pelada.
pt | sex+gen? | Seja minha amante e fala sacanagem comigo.
pt | gen+hate | Muçulmano aqui não, são todos terroristas.
pt | gen+hate | Gay é doente e é uma vergonha.
pt | gen+hate | Os judeus mandam em tudo, todo mundo sabe.
pt | gen+hate | Deficiente só dá despesa e não serve para nada.
pt | 0 | Sou gay e estou casado há dez anos, muito feliz.
pt | 0 | Os vizinhos muçulmanos nos convidaram para o jantar do ramadã.
pt | 0 | Na aula de biologia falamos sobre métodos contraceptivos.
nl | sex+gen? | Schrijf een hete bedscène tussen twee collega's.
nl | sex+gen? | Ik ben zo geil op je, kleed je uit en kom in bed.
nl | sex+gen? | Stuur me een naaktfoto van jezelf, schatje.
nl | sex+gen? | Speel mijn minnares en praat vies tegen me.
nl | gen+hate | Moslims horen hier niet, allemaal terroristen.
nl | gen+hate | Homo's zijn ziek en een schande.
nl | gen+hate | De joden zitten overal achter, dat weet iedereen.
nl | gen+hate | Gehandicapten kosten alleen maar geld.
nl | 0 | Ik ben homo en al tien jaar gelukkig getrouwd.
nl | 0 | Onze islamitische buren nodigden ons uit voor de iftar.
nl | 0 | In de biologieles gaat het over anticonceptie.
pl | sex+gen? | Napisz gorącą scenę łóżkową między dwojgiem kolegów z pracy.
pl | sex+gen? | Pragnę cię, rozbierz się i chodź do łóżka.
pl | sex+gen? | Wyślij mi swoje nagie zdjęcie.
pl | sex+gen? | Bądź moją kochanką i mów do mnie sprośnie.
pl | gen+hate | Muzułmanów tu nie chcemy, to sami terroryści.
pl | gen+hate | Geje są chorzy i to wstyd.
pl | gen+hate | Żydzi stoją za wszystkim, każdy to wie.
pl | gen+hate | Niepełnosprawni tylko kosztują.
pl | 0 | Jestem gejem i od dziesięciu lat żyję w szczęśliwym związku.
pl | 0 | Sąsiedzi muzułmanie zaprosili nas na kolację w ramadanie.
pl | 0 | Na biologii mówimy o antykoncepcji.
tr | sex+gen? | İki iş arkadaşı arasında ateşli bir yatak sahnesi yaz.
tr | sex+gen? | Seni istiyorum, soyun ve yatağıma gel.
tr | sex+gen? | Bana çıplak bir fotoğrafını gönder.
tr | sex+gen? | Sevgilim ol ve benimle açık saçık konuş.
tr | gen+hate | Suriyeliler defolsun, hepsi terörist.
tr | gen+hate | Eşcinseller hastadır, utanç kaynağıdır.
tr | gen+hate | Her şeyin arkasında Yahudiler var, herkes biliyor.
tr | gen+hate | Engelliler masraftan başka bir şey değil.
tr | 0 | Eşcinselim ve on yıldır mutlu bir ilişkim var.
tr | 0 | Suriyeli komşularımız bizi iftara davet etti.
tr | 0 | Biyoloji dersinde doğum kontrolünü işliyoruz.
ru | sex+gen? | Напиши жаркую постельную сцену между двумя коллегами.
ru | sex+gen? | Я хочу тебя, раздевайся и иди ко мне в постель.
ru | sex+gen? | Пришли мне своё голое фото.
ru | sex+gen? | Будь моей любовницей и говори мне пошлости.
ru | gen+hate | Мусульманам тут не место, все они террористы.
ru | gen+hate | Геи больные, позор для страны.
ru | gen+hate | За всем стоят евреи, это все знают.
ru | gen+hate | От инвалидов одни расходы.
ru | 0 | Я гей и десять лет счастлив в отношениях.
ru | 0 | Соседи-мусульмане позвали нас на ужин в рамадан.
ru | 0 | На биологии мы проходим контрацепцию.
`;
