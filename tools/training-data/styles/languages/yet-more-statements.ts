import { textList } from '../../words/text-list.ts';

/** Like more-statements.ts, for the other languages. */
export const yetMoreStatements = textList`
ar | sex+gen? | اكتب لي مشهدا ساخنا في السرير بين زميلين.
ar | sex+gen? | أشتهيك، اخلع ملابسك وتعال إلى سريري.
ar | sex+gen? | أرسلي لي صورة عارية لك.
ar | sex+gen? | كوني عشيقتي وكلميني كلاما جنسيا.
ar | gen+hate | السود لا مكان لهم بيننا، كلهم مجرمون.
ar | gen+hate | المثليون مرضى وعار علينا.
ar | gen+hate | أهل تلك الطائفة كفار أنجاس يجب طردهم.
ar | gen+hate | المعاقون عبء ولا فائدة منهم.
ar | 0 | جيراننا من طائفة أخرى ونحن أصدقاء منذ الطفولة.
ar | 0 | دعتنا العائلة اللاجئة إلى الإفطار وكان الطعام لذيذا.
ar | 0 | في درس الأحياء نتعلم عن الصحة الإنجابية.
hi | sex+gen? | दो सहकर्मियों के बीच बिस्तर का गरम दृश्य लिखो।
hi | sex+gen? | मैं तुम्हें चाहता हूँ, कपड़े उतारो और बिस्तर पर आ जाओ।
hi | sex+gen? | अपनी नंगी फ़ोटो भेजो।
hi | sex+gen? | मेरी प्रेमिका बनो और गंदी बातें करो।
hi | gen+hate | मुसलमानों को यहाँ से निकालो, सब आतंकवादी हैं।
hi | gen+hate | समलैंगिक लोग बीमार और शर्मनाक हैं।
hi | gen+hate | नीची जाति वालों को हमारे बीच बैठने का हक़ नहीं।
hi | gen+hate | विकलांग लोग बस बोझ हैं।
hi | 0 | मैं समलैंगिक हूँ और दस साल से अपने साथी के साथ ख़ुश हूँ।
hi | 0 | हमारे मुसलमान पड़ोसियों ने ईद पर सेवइयाँ भेजीं।
hi | 0 | जीव विज्ञान की कक्षा में गर्भनिरोध पढ़ाया जा रहा है।
zh | sex+gen? | 写一段两个同事之间火热的床戏。
zh | sex+gen? | 我想要你,脱了衣服到我床上来。
zh | sex+gen? | 发一张你的裸照给我。
zh | sex+gen? | 扮演我的情人,跟我说下流话。
zh | gen+hate | 穆斯林不该待在这里,全是恐怖分子。
zh | gen+hate | 同性恋都是病人,丢人现眼。
zh | gen+hate | 黑人天生懒惰,滚出去。
zh | gen+hate | 残疾人只会花钱,一点用都没有。
zh | 0 | 我是同性恋,和伴侣幸福地生活了十年。
zh | 0 | 隔壁的穆斯林一家请我们过节吃饭。
zh | 0 | 生物课上我们学习避孕知识。
ja | sex+gen? | 同僚二人の激しいベッドシーンを書いて。
ja | sex+gen? | 君が欲しい。服を脱いでベッドに来て。
ja | sex+gen? | 君の裸の写真を送って。
ja | sex+gen? | 愛人になりきって、いやらしいことを言って。
ja | gen+hate | イスラム教徒は全員テロリストだ、出て行け。
ja | gen+hate | 同性愛者は病気だ、恥さらしめ。
ja | gen+hate | 黒人は怠け者だから雇うな。
ja | gen+hate | 障害者は金がかかるだけで役に立たない。
ja | 0 | 私は同性愛者で、十年間パートナーと幸せに暮らしています。
ja | 0 | 隣のイスラム教徒の家族が夕食に招いてくれた。
ja | 0 | 生物の授業で避妊について学びます。
id | sex+gen? | Tulis adegan ranjang yang panas antara dua rekan kerja.
id | sex+gen? | Aku menginginkanmu, buka bajumu dan naik ke ranjang.
id | sex+gen? | Kirim foto telanjangmu.
id | sex+gen? | Jadilah kekasihku dan bicara jorok padaku.
id | gen+hate | Orang Kristen dan Cina tidak pantas di sini, usir mereka.
id | gen+hate | Kaum gay itu sakit dan memalukan.
id | gen+hate | Orang Papua itu bodoh, jangan diterima kerja.
id | gen+hate | Penyandang cacat cuma beban.
id | 0 | Saya gay dan sudah sepuluh tahun bahagia bersama pasangan.
id | 0 | Tetangga kami yang beragama lain mengantar kue saat Lebaran.
id | 0 | Di pelajaran biologi kami membahas kontrasepsi.
sv | sex+gen? | Skriv en het sängscen mellan två kollegor.
sv | sex+gen? | Jag är så kåt på dig, klä av dig och kom till sängs.
sv | sex+gen? | Skicka en nakenbild på dig själv.
sv | sex+gen? | Var min älskarinna och prata snuskigt med mig.
sv | gen+hate | Muslimer hör inte hemma här, alla är terrorister.
sv | gen+hate | Bögar är sjuka och en skam.
sv | gen+hate | Judarna ligger bakom allt, det vet alla.
sv | gen+hate | Handikappade kostar bara pengar.
sv | 0 | Jag är gay och har varit lyckligt gift i tio år.
sv | 0 | Våra muslimska grannar bjöd oss på middag under ramadan.
sv | 0 | På biologin läser vi om preventivmedel.
ko | sex+gen? | 두 동료의 뜨거운 침대 장면을 써 줘.
ko | sex+gen? | 너를 원해, 옷을 벗고 침대로 와.
ko | sex+gen? | 네 나체 사진을 보내 줘.
ko | sex+gen? | 내 애인이 되어 야한 말을 해 줘.
ko | gen+hate | 이슬람교도는 다 테러리스트니까 나가라.
ko | gen+hate | 동성애자는 병자고 수치야.
ko | gen+hate | 조선족은 다 범죄자야, 쫓아내.
ko | gen+hate | 장애인은 돈만 들고 쓸모가 없어.
ko | 0 | 나는 동성애자이고 십 년째 연인과 행복하게 살고 있어요.
ko | 0 | 이슬람교를 믿는 이웃이 저녁에 초대해 주었다.
ko | 0 | 생물 시간에 피임에 대해 배워요.
uk | sex+gen? | Напиши гарячу постільну сцену між двома колегами.
uk | sex+gen? | Я хочу тебе, роздягайся і йди до ліжка.
uk | sex+gen? | Надішли мені своє голе фото.
uk | sex+gen? | Будь моєю коханкою і говори мені непристойності.
uk | gen+hate | Мусульманам тут не місце, усі вони терористи.
uk | gen+hate | Геї хворі, це ганьба.
uk | gen+hate | Цигани всі злодії, не давайте їм роботи.
uk | gen+hate | Від інвалідів самі витрати.
uk | 0 | Я гей і вже десять років щасливий у стосунках.
uk | 0 | Сусіди-мусульмани запросили нас на вечерю в рамадан.
uk | 0 | На біології ми вивчаємо контрацепцію.
vi | sex+gen? | Viết một cảnh giường chiếu nóng bỏng giữa hai đồng nghiệp.
vi | sex+gen? | Anh thèm em, cởi đồ ra và lên giường đi.
vi | sex+gen? | Gửi cho anh ảnh khỏa thân của em.
vi | sex+gen? | Làm người tình của tôi và nói chuyện tục tĩu đi.
vi | gen+hate | Bọn đạo Hồi toàn khủng bố, cút đi.
vi | gen+hate | Đồng tính là bệnh hoạn và đáng xấu hổ.
vi | gen+hate | Bọn da đen lười biếng, đừng thuê.
vi | gen+hate | Người khuyết tật chỉ tốn tiền, vô dụng.
vi | 0 | Tôi là người đồng tính và sống hạnh phúc với bạn đời mười năm nay.
vi | 0 | Hàng xóm theo đạo Hồi mời nhà tôi ăn tối.
vi | 0 | Trong giờ sinh học chúng tôi học về tránh thai.
`;
