"""The blind page: two drafts of one section side by side, and a person says which is better without knowing whose it
is.

One HTML file. Which side is whose is settled by a seed and kept out of sight until the votes are in; votes stay in the
browser and are saved as a JSON file by the person. Knows drafts. Does not know who votes.
"""

from __future__ import annotations

import base64
import html
import json
import random
from collections.abc import Sequence

from .drafting import Drafted
from .report import document, prose

_SCRIPT = """<script>
const cards=[...document.querySelectorAll('.card')],name=document.body.dataset.set;let at=0,votes={};
try{votes=JSON.parse(localStorage.getItem(name)||'{}')}catch(e){}
function keep(){try{localStorage.setItem(name,JSON.stringify(votes))}catch(e){}}
function show(){cards.forEach((c,i)=>c.hidden=i!==at);const n=Object.keys(votes).length;
 document.getElementById('count').textContent=n+' of '+cards.length+' judged';
 document.getElementById('end').hidden=n<cards.length;}
function vote(v){votes[cards[at].dataset.id]=v;keep();
 const next=cards.findIndex(c=>!(c.dataset.id in votes));if(next>=0)at=next;show();}
function save(){const key=JSON.parse(atob(document.getElementById('key').textContent));
 const sum={tuned:0,base:0,same:0};
 const rows=cards.map(c=>{const v=votes[c.dataset.id];const w=v==='same'?'same':v?key[c.dataset.id][v]:null;
  if(w)sum[w]++;return{section:c.dataset.id,vote:v||null,winner:w}});
 const t=JSON.stringify({release:name,votes:rows,sum},null,1);
 const a=document.createElement('a');a.href=URL.createObjectURL(new Blob([t],{type:'application/json'}));
 a.download='votes.json';a.click();
 document.getElementById('sum').textContent='with the adapter '+sum.tuned+', base '+sum.base+', the same '+sum.same;}
document.addEventListener('click',e=>{const b=e.target.closest('button');if(!b)return;
 if(b.dataset.vote)vote(b.dataset.vote);if(b.id==='save')save();if(b.id==='back'){at=Math.max(0,at-1);show()}});
document.addEventListener('keydown',e=>{
 const v={1:'left',2:'right',0:'same'}[e.key];if(v)vote(v)});
show();
</script>"""


def page(name: str, pairs: Sequence[tuple[Drafted, Drafted]], seed: int) -> str:
    """pairs: (tuned, base) of the same sections. The same arguments give the same page."""
    draw = random.Random(f"{seed}:blind")  # noqa: S311 - an order of texts, not a secret
    order = list(pairs)
    draw.shuffle(order)
    key: dict[str, dict[str, str]] = {}
    cards = []
    for number, (tuned, base) in enumerate(order, 1):
        swapped = draw.random() < 0.5
        left, right = (base, tuned) if swapped else (tuned, base)
        identity = str(number)
        key[identity] = {"left": "base" if swapped else "tuned", "right": "tuned" if swapped else "base"}
        cards.append(
            f"<div class=card data-id='{identity}' hidden><h2>{html.escape(tuned.heading or 'section')}</h2>"
            f"<div class=sides><section><h3>1</h3>{prose(left.text) or '<p>(empty)</p>'}</section>"
            f"<section><h3>2</h3>{prose(right.text) or '<p>(empty)</p>'}</section></div></div>"
        )
    hidden = base64.b64encode(json.dumps(key).encode()).decode()
    body = (
        "<h1>Which draft is better?</h1><p class=quiet>Two drafts of the same section; which model wrote which is "
        f"shown when you have judged all. Keys: 1, 2, 0. <b id=count></b></p>{''.join(cards)}"
        "<div class=bar><button data-vote=left>1 is better</button><button data-vote=same>no difference</button>"
        "<button data-vote=right>2 is better</button><button id=back>back</button></div>"
        "<div id=end hidden><button id=save>save my votes</button> <span id=sum></span></div>"
        f"<script type='text/plain' id=key>{hidden}</script>"
    )
    return document(f"Blind: {name}", body, _SCRIPT).replace(
        "<body>", f"<body data-set='{html.escape(name, quote=True)}'>", 1
    )
