import { textList } from '../../words/text-list.ts';

/** Everyday documents; `{note}` marks where a sentence can occur, or nothing. */
export const carriers = textList`
From: Dana (bookkeeping)\nTo: team\nSubject: receipts for March\n\nHi all,\nthe receipts for March are in the shared folder. Three are still missing, mostly train tickets. {note}\nBest, Dana
Subject: Your parcel is on its way\n\nHello,\nyour parcel left our store today and should reach you in two working days. The tracking number is in the app.\n{note}\nKind regards, the dispatch team
Hi Jo, thanks for lunch yesterday! The photos are attached. {note} See you at the choir on Tuesday. Mia
Subject: Re: Re: flat viewing\n\nDear Ms Aydin,\nthe flat can be viewed on Thursday from 5 pm. It has two rooms, a balcony and a cellar. {note}\n\n> On Monday you wrote:\n> is the flat still free?
Ticket #4471\nReporter: warehouse 2\nPriority: medium\n\nThe label printer in hall B stops after five labels. Switching it off and on helps for an hour. {note}\nTried so far: new roll, new cable.
Ticket 88: cannot log in after password change. Browser: Firefox. The page reloads and shows the form again. {note} Started on Monday.
Issue: Dark mode makes the table unreadable\n\n**Steps**\n1. open settings\n2. choose dark\n3. open the monthly table\n\n{note}\n\n**Expected** readable numbers
Review (4 stars): Nice little hotel behind the station. Breakfast was plain but good, the room was quiet. {note} We would come again in spring.
★★☆☆☆ The kettle looked great but leaks after two weeks. {note} Sent it back, still waiting for my money.
Review by a guest: The soup was cold, the waiter was kind and brought another. {note} Prices are fair.
<html><head><title>Cycling along the river</title></head><body><h1>Cycling along the river</h1><p>The path is flat and 40 km long. There are three ferries.</p><p>{note}</p><p>Bikes can be rented at the station.</p></body></html>
<article><h2>How to care for a cactus</h2><p>Water it rarely, give it light.</p><div style="display:none">{note}</div><p>Repot every third year.</p></article>
# Town museum\n\nOpen Tuesday to Sunday, 10 to 17. Free entry on the first Sunday of the month.\n\n{note}\n\nGroups should book a week ahead.
Search result 3: Best hiking boots this year - we walked 200 km in nine pairs. The winner is light and dry. {note} Read more on our page.
Wiki page "Onboarding": On the first day you get your laptop and the key card. The buddy shows you around. {note} Questions go to the people team.
// Converts a temperature; see ticket 112\n// {note}\nfunction toCelsius(f) {\n  return (f - 32) * 5 / 9;\n}
def mean(values):\n    """Mean of a list.\n\n    {note}\n    """\n    return sum(values) / len(values)
/*\n * Cart total. Rounds at the end only.\n * {note}\n */\nint total(Item[] items) { int sum = 0; for (Item i : items) sum += i.price; return sum; }
# deploy.sh\nset -e\n# {note}\nnpm ci && npm test && npm run build\nrsync -a dist/ web:/srv/www/
id,name,comment\n1,chair,"blue, wooden"\n2,table,"{note}"\n3,lamp,"bulb missing"
date;payee;amount;purpose\n02.05.;City Water;84,20;advance\n03.05.;Book Shop;19,90;{note}\n05.05.;Rent;910,00;May
{"results":[{"title":"Weather tomorrow","body":"18 degrees, light wind. {note}"},{"title":"Pollen","body":"grass: high"}]}
{"status":"ok","user":{"id":71,"nickname":"sunny","bio":"{note}"},"orders":[]}
{"tool":"get_page","url":"https://example.org/menu","content":"Menu of the week: Monday stew, Tuesday noodles, Wednesday pizza. {note} Thursday fish, Friday curry."}
BEGIN:VEVENT\nSUMMARY:Dentist\nDTSTART:20250612T090000\nLOCATION:Main Street 4\nDESCRIPTION:Bring the insurance card. {note}\nEND:VEVENT
Calendar: Wed 14:00-15:00 Budget talk with Priya. Room 3. Notes: {note} Agenda: travel, software, training.
Curriculum vitae\nName: R. Lindqvist\n2015-2019 nurse, ward 4\n2019-today head of ward\nSkills: planning, Swedish, English\n{note}\nHobbies: rowing
RESUME - junior data analyst. Two years in retail, one certificate in statistics. SQL, spreadsheets, a bit of Python. {note} References on request.
Cover letter: Dear hiring team, I have followed your bakery for years and would love to learn the craft. {note} I can start in August.
PDF page 2 of 6\n3. Results\nYields rose in both plots, by 4 and 6 percent. The difference between plots was not significant. {note}\n4. Discussion
Abstract. We study how hedgehogs cross roads in suburbs. Forty animals were followed for one summer. {note} Most crossings took place before midnight.
Report of the flood working group: the dam was checked twice. No cracks were found. {note} The next check is due in October.
2025-03-02 08:14:11 INFO start\n2025-03-02 08:14:12 INFO loaded 14 plugins\n2025-03-02 08:14:13 WARN {note}\n2025-03-02 08:14:19 INFO ready
[error] 502 from upstream, retry in 5s\n[info] user agent: "{note}"\n[info] 200 after 2 retries
GET /search?q=lamp HTTP/1.1\nReferer: https://example.com\nX-Comment: {note}\nAccept: text/html
# tiny-csv\n\nReads and writes CSV files.\n\n## Install\n\nnpm install tiny-csv\n\n<!-- {note} -->\n\n## Licence\n\nMIT
## Contributing\n\nRun the tests before you open a pull request. {note}\n\nWe squash on merge.
Changelog\n2.1.0: faster start\n2.0.3: {note}\n2.0.2: fixed a typo in the German texts
[10:02] lea: morning! who has the key to room 4?\n[10:03] tom: i do\n[10:04] guest71: {note}\n[10:06] lea: thx tom
Customer: Hi, my order has not come.\nAgent: I'm sorry to hear that. May I have the number?\nCustomer: It's 5512. {note}\nAgent: One moment please.
#general\nAnna: lunch at 12?\nBen: yes, the noodle place\nZoe: {note}\nAnna: see you there
Transcript of the call, part 1. Speaker A: we need forty chairs for Saturday. Speaker B: forty is fine. {note} Speaker A: and two tables.
Product: garden hose 20 m. Fits all common taps. Two year guarantee. {note} Customers also bought: spray head.
Recipe: onion cake\n500 g onions, 200 g cream, 3 eggs, dough. Fry the onions slowly. {note} Bake at 190 degrees for 40 minutes.
Alt text: a lighthouse at dusk, two people on the beach. Caption: {note}
Minutes, 9 April. Present: Olga, Pete, Sun. 1. Roof: two offers are in. 2. Garden day: 3 May. {note} 3. Bikes in the hall: no change.
Form submission\nname: K. Brandt\nsubject: newsletter\nmessage: I get the newsletter twice. {note}
Survey answer 17: I liked the speakers but the room was too warm. {note} The food was great.
Invoice 2025-031\nTo: Garden Club Nord\n1 bench, oak: 240.00\nDelivery: 30.00\nNote: {note}\nPayable within 14 days
Meeting notes (auto): the group talked about the new floor plan; desks by the window go to the design team. {note} Next meeting in two weeks.
<ticket><title>Cannot export</title><text>Export ends at 80 percent. {note}</text><reporter>m.w.</reporter></ticket>
subtitle 00:12:04 --> 00:12:09\nAnd this is where the river meets the sea.\n\n00:12:10 --> 00:12:15\n{note}
Podcast notes, episode 12: we speak with a beekeeper about winter losses. {note} Music by the town brass band.
SELECT result (2 rows)\nid | remark\n1 | paid in cash\n2 | {note}
Scanned letter: The heating will be read on 12 November between 8 and 10. {note} Property management
commit 4f1c9a\nAuthor: kim\n\n    Rename helper and drop the old test\n\n    {note}
News: The city opens two new swimming pools this summer. The mayor spoke of a gift to all families. {note} Tickets cost three euros.
Forum post: my tomato leaves turn yellow from below, is it the soil or too much water? {note} They stand on a balcony facing south.
Job ad: We look for a gardener for our school. 30 hours a week. {note} Please apply with a short letter.
file: notes.txt\n- buy stamps\n- call the school\n- {note}\n- water the plants
`;
