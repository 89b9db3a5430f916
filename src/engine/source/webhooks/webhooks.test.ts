import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyseProject } from '../analyse-project.ts';

interface Example {
  says: string;
  files: Record<string, string>;
  isWeak: boolean;
}

const examples: Example[] = [
  {
    says: 'a signature that is only looked for',
    files: {
      'src/app.ts': `app.post('/hooks/parcel', express.json(), (req, res) => {
  const given = req.get('x-parcel-signature');
  console.log('signed', given !== undefined);
  parcels.arrive(req.body.number);
  res.end();
});`,
    },
    isWeak: true,
  },
  {
    says: 'a header without which nothing is done, and that is compared with nothing',
    files: {
      'src/app.ts': `app.post('/hooks/parcel', express.json(), (req, res) => {
  const given = req.get('x-parcel-signature');
  if (!given) return res.sendStatus(401);
  parcels.arrive(req.body.number);
  res.end();
});`,
    },
    isWeak: true,
  },
  {
    says: 'a wrong signature that is logged and no more',
    files: {
      'app.py': `@app.post("/hooks/parcel")
async def parcel(request: Request):
    body = await request.body()
    if not hmac.compare_digest(mac(body), request.headers.get("x-parcel", "")):
        log.warning("another signature")
    await arrive(body)
`,
    },
    isWeak: true,
  },
  {
    says: 'a wrong signature that is refused',
    files: {
      'app.py': `@app.post("/hooks/parcel")
async def parcel(request: Request):
    body = await request.body()
    if not hmac.compare_digest(mac(body), request.headers.get("x-parcel", "")):
        raise HTTPException(401)
    await arrive(body)
`,
    },
    isWeak: false,
  },
  {
    says: 'a check in the file of the handler, not in that of the route',
    files: {
      'src/app.ts': `import { arrived } from './parcels.js';
app.post('/hooks/parcel', express.raw({ type: '*/*' }), arrived);`,
      'src/parcels.ts': `export async function arrived(req, res) {
  if (!timingSafeEqual(mac(req.body), Buffer.from(req.get('x-parcel'), 'hex'))) return res.sendStatus(401);
  await parcels.arrive(JSON.parse(req.body).number);
}`,
    },
    isWeak: false,
  },
  {
    says: 'a class whose path says what its methods receive',
    files: {
      'src/Parcels.java': `@RestController
@RequestMapping("/hooks")
class Parcels {
  @PostMapping("/parcel")
  void parcel(@RequestHeader("X-Parcel-Signature") String signature, @RequestBody Parcel parcel) { desk.arrive(parcel); }
}`,
    },
    isWeak: true,
  },
  {
    says: 'a router that another line puts under the path of webhooks',
    files: {
      'src/app.ts': `const incoming = express.Router();
incoming.post('/parcel', express.json(), async (req, res) => { await parcels.arrive(req.body.number); res.end(); });
app.use('/webhooks', incoming);`,
    },
    isWeak: true,
  },
  {
    says: 'a branch of a server that answers all paths',
    files: {
      'src/app.ts': `http.createServer(async (req, res) => {
  if (req.url === '/webhook') { await parcels.arrive(JSON.parse(await readBody(req)).number); res.end(); }
}).listen(3000, '127.0.0.1');`,
    },
    isWeak: true,
  },
  {
    says: 'a function that sends webhooks',
    files: {
      'src/app.rs': `async fn queue_hook(State(app): State<App>, Json(hook): Json<Hook>) -> &'static str { app.queue.send(hook).await; "queued" }
fn routes() -> Router { Router::new().route("/outgoing", post(queue_hook)) }`,
    },
    isWeak: false,
  },
];

describe('webhooks', () => {
  for (const { says, files, isWeak } of examples)
    it(`${isWeak ? 'finds' : 'leaves alone'} ${says}`, async () => {
      const { observations } = await analyseProject(
        Object.entries(files).map(([path, text]) => ({ path, text })),
      );
      const found = observations.filter(({ rule }) => rule === 'missing-signature-check');
      assert.equal(found.length > 0, isWeak);
    });
});
