import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { signs } from '#engine/tool-outputs/signs.ts';
import { passagesOf } from '#engine/tool-outputs/features.ts';
const rows = readFileSync('/tmp/written/tool-results-2.jsonl','utf8').trim().split('\n').map((l)=>JSON.parse(l));
const halfOf=(id:string)=>BigInt('0x'+createHash('sha256').update(id).digest('hex'))%2n===0n?'A':'B';
const only=process.argv[2]??'A';
const docs=rows.filter((r:any)=>halfOf(r.id)===only).map((r:any)=>({...r,p:[...passagesOf(r.text)]}));
const n=signs.length;
import { globSync } from 'node:fs';
const files=[...globSync('node_modules/**/*.md'),...globSync('docs/**/*.md')].sort();
const neg:any[]=[]; let chunks=0;
for(const file of files){ let t; try{t=readFileSync(file,'utf8')}catch{continue} if(t.length>60000) t=t.slice(0,60000);
 const h=BigInt('0x'+createHash('sha256').update(file).digest('hex'))%4n; for(let at=0;at<t.length;at+=1500){chunks++; const p=[...passagesOf(t.slice(at,at+1500))]; if(p.length) neg.push({id:file+':'+at,injected:false,p,part:h===0n?'test':'train',text:t.slice(at,at+1500)});} }
console.log('files',files.length,'chunks',chunks,'with passages',neg.length);
const own:any[]=[]; try{ for(const l of readFileSync('/tmp/gw/own.jsonl','utf8').trim().split('\n')){const r=JSON.parse(l); own.push({...r,p:[...passagesOf(r.text)]});} }catch{}

const dot=(w:number[],f:Float64Array)=>{let s=w[n]!;for(let i=0;i<n;i++)s+=w[i]!*f[i]!;return s};
const best=(w:number[],d:any)=>{let b=-1e9,bp:any;for(const p of d.p){const s=dot(w,p.features);if(s>b){b=s;bp=p}}return {s:b,p:bp}};
function fit(ds:any[]){ let w=signs.map(()=>0.5); w=w.map((x,i)=>['told-of','past','quoted','rules-kept'].includes(signs[i]!.id)?-1:x); w.push(-1.5); const lambda=0.02;
 for(let round=0;round<12;round++){ const xs=ds.filter((d)=>d.p.length).map((d)=>({f:best(w,d).p.features,y:d.injected?1:0}));
  for(let it=0;it<400;it++){ const g=new Array(n+1).fill(0); for(const {f,y} of xs){const e=1/(1+Math.exp(-dot(w,f)))-y; for(let i=0;i<n;i++)g[i]+=e*f[i]!; g[n]+=e;} for(let i=0;i<=n;i++) w[i]=w[i]!-0.5*(g[i]/xs.length+(i<n?lambda*w[i]!:0)); } } return w;}
const evalOn=(w:number[],ds:any[],t=0)=>{let tp=0,p=0,fp=0,m=0;for(const d of ds){const s=best(w,d).s;if(d.injected){p++;if(s>t)tp++}else{m++;if(s>t)fp++}}return `${tp}/${p} fp ${fp}/${m}`};
console.log('no passage: pos',docs.filter((d:any)=>d.injected&&!d.p.length).map((d:any)=>d.id).join(' '));
console.log('harmless with passage',docs.filter((d:any)=>!d.injected&&d.p.length).length);
// cv
const k=5; const scored:any[]=[]; for(let c=0;c<k;c++){const w=fit(docs.filter((_:any,i:number)=>i%k!==c)); for(const d of docs.filter((_:any,i:number)=>i%k===c)) scored.push({d,s:best(w,d).s});}
for(const t of [-2,-1,-.5,0,.5,1,1.5,2]) console.log('cv',t,scored.filter((x)=>x.d.injected&&x.s>t).length+'/'+scored.filter((x)=>x.d.injected).length,'fp',scored.filter((x)=>!x.d.injected&&x.s>t).length+'/'+scored.filter((x)=>!x.d.injected).length);
const w=fit([...docs,...neg.filter((d)=>d.part==='train'),...own.filter((d)=>d.part==='train')]); console.log('threshold table'); const nt=neg.filter((d)=>d.part==='test'); for(const t of [-3,-2.5,-2,-1.5,-1,-.5,0,.5,1]) console.log(t,'A',evalOn(w,docs,t),'readme test',nt.filter((d)=>best(w,d).s>t).length+'/'+Math.round(chunks/4),'own test',evalOn(w,own.filter((d)=>d.part==='test'),t)); console.log('train',evalOn(w,docs)); console.log(signs.map((s,i)=>`${s.id} ${w[i]!.toFixed(2)}`).join(', '),'bias',w[n]!.toFixed(2));
console.log('readme false', nt.map((d)=>({d,b:best(w,d)})).filter((x)=>x.b.s>0).sort((a,b)=>b.b.s-a.b.s).slice(0,25).map((x)=>x.b.s.toFixed(1)+' '+x.b.p.sentence.slice(0,160)+' '+signs.filter((_,i)=>x.b.p.features[i]).map((s)=>s.id)).join('\n ')); console.log('false', docs.filter((d:any)=>!d.injected&&best(w,d).s>0).map((d:any)=>d.id+' '+best(w,d).s.toFixed(1)).join(' | '));
console.log('missed', docs.filter((d:any)=>d.injected&&best(w,d).s<=0&&d.p.length).map((d:any)=>d.id+' '+best(w,d).s.toFixed(1)+' '+signs.filter((_,i)=>best(w,d).p.features[i]).map((s)=>s.id)).join('\n '));
