// The grain page as the server makes it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService } from './service.js';

let service;
before(async () => {
  service = await startService('hygro');
});
after(() => service.stop());

async function page(query = '', headers = {}) {
  const response = await fetch(`${service.url}/${query}`, { headers });
  const html = await response.text();
  assert.equal(response.status, 200);
  return { html, headers: response.headers, value: /<output id="value"[^>]*>([^<]*)</.exec(html)[1] };
}

describe('without JavaScript', () => {
  test('a name longer than any, in every part of the page, ends neither the page nor the service', async () => {
    for (const name of [`corn${'-'.repeat(120)}`, `${'-'.repeat(120)}corn`, `durum${'%20'.repeat(200)}wheat`, `corn${'-'.repeat(92)}`, `corn${'-'.repeat(93)}`, 'x'.repeat(3000), `rice${'é'.repeat(60)}`]) {
      for (const rest of ['', '&ta=x', '&moisture=14', '&set=henderson-d245.4', '&taUnit=F&ta=77&ur=70', '&tool=air&air-ta=20&air-ur=70', '&tool=keeping&keeping-grainTa=20&keeping-moisture=14', `&set=${'-'.repeat(300)}`]) {
        const { html } = await page(`?grain=${name}${rest}`);
        assert.match(html, /<details id="tool-hours"/);
      }
      const form = new FormData();
      form.set('file', new Blob(['t,ur\n25,70\n']), 'a.csv');
      assert.equal((await fetch(`${service.url}/?grain=${name}`, { method: 'POST', body: form })).status, 200);
    }
    const long = await page(`?grain=corn${'-'.repeat(120)}`);
    assert.equal(long.value, '–');
    assert.match(long.html, /<li>The grain &#39;corn-*…&#39; is not known/);
    assert.equal((await page(`?grain=corn${'-'.repeat(92)}`)).value, '14.0');
  });

  test('bytes that are no text are shown as such, and what comes twice with two values is refused by name', async () => {
    for (const query of ['?ta=%FF', '?grain=%FF%01&set=%C3', '?own=%E2%82&ownTa=%ED%A0%80', '?tool=air&air-ta=%FF&air-ur=%C0%80']) {
      const bytes = await (await fetch(`${service.url}/${query}`)).arrayBuffer();
      const html = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      assert.match(html, /\uFFFD/, query);
    }
    assert.match((await page('?grain=ma%C3%ADz&ta=%E2%82%AC')).html, /name="ta"[^>]*value="€"/);
    for (const [query, name] of [['?ta=20&ta=30', 'ta'], ['?own=1&OWN=2', 'OWN'], ['?tool=air&air-ta=1&air-ta=2', 'air-ta']]) {
      const response = await fetch(`${service.url}/${query}`);
      const problem = await response.json();
      assert.deepEqual([response.status, problem.code, problem.error], [400, 'repeated_field', `The field '${name}' is given more than once.`]);
    }
    const form = new FormData();
    form.set('file', new Blob(['t,ur\n25,70\n']), 'a.csv');
    form.set('moisture', new Blob([Buffer.from([0x31, 0, 0xff])]));
    const told = await (await fetch(`${service.url}/`, { method: 'POST', body: form })).text();
    assert.match(told, /name="moisture"[^>]*value="1\uFFFD\uFFFD"/);
    assert.equal((await fetch(`${service.url}/?ta=20&ta=30`, { method: 'POST', body: form })).status, 400);
    assert.equal((await page('?ta=25&ta=25')).value, '14.0');
  });

  test('shows a result at once, and that of the query', async () => {
    assert.equal((await page()).value, '14.0');
    assert.equal((await page('?grain=soybean&ta=30&ur=80')).value, '14.8');
    assert.equal((await page('?grain=corn&ta=77&ur=70&taUnit=F')).value, '14.0');
    assert.equal((await page('?grain=corn&ta=25&ur=70&set=chung-pfost-d245.5')).value, '13.5');
    assert.equal((await page('?grain=corn&ta=%2025,5%20&ur=70')).value, '14.0');
  });

  test('sets that agree are no range, and one set alone is reported', async () => {
    const spread = async (query) => /id="spread"[^>]*>([^<]*)</.exec((await page(query)).html)[1];
    assert.match(await spread('?grain=soybean&ta=28&ur=80'), /^No range: the sets of constants agree here, which may be chance and is not the doubt; against measured grain it is off by 0\.7 points on average\.$/);
    assert.match(await spread('?grain=canola&ta=25&ur=70'), /^No range: the sets of constants agree here/);
    assert.match(await spread('?grain=corn&ta=25&ur=70'), /^Expect 13\.5 to 14\.7/);
    // In a verdict on air the humidity is given, but the moisture is compared.
    for (const grain of ['corn', 'popcorn', 'wheat', 'ear-corn']) {
      const { spread: { sets }, warnings } = await (await fetch(`${service.url}/api/verdict?grain=${grain}&ta=25&ur=70`)).json();
      assert.equal(sets < 2, warnings.some((w) => w.code === 'nothing_to_compare'), grain);
    }
  });

  test('the verdict is the first thing of the result, for the air or for one\'s own grain', async () => {
    const { html } = await page('?grain=corn&ta=25&ur=85&own=15&ownTa=15');
    assert.match(html, /<ul class="notes" id="asked"><\/ul>\s*<div class="verdict" id="verdict" data-verdict="watch"><p class="question">May this grain be stored like this\?<\/p><p class="answer"><b>At the limit, watch it<\/b>/);
    assert.match(html, /This air condenses on the grain: do not blow it in\./);
    assert.match(html, /id="link" href="[^"]*own=15&amp;ownTa=15/);
    assert.match((await page('?grain=corn&ta=25&ur=60')).html, /data-verdict="safe"><p class="question">May grain be stored in this air\?/);
    // The temperature of grain whose moisture is not known counts, too.
    const cold = await (await fetch(`${service.url}/api/verdict?grain=corn&ta=25&ur=70&grainTa=10`)).json();
    const shown = (await page('?grain=corn&ta=25&ur=70&own=&ownTa=10')).html;
    assert.match(shown, new RegExp(`data-verdict="${cold.verdict}"`));
    assert.match(shown, /This air condenses on the grain/);
    for (const wrong of ['abc', '500']) {
      assert.match((await page(`?grain=corn&ta=25&ur=70&own=&ownTa=${wrong}`)).html, /id="verdict"><p class="error">[^<]*temperature/);
    }
    assert.match((await page('?grain=corn&ta=25&ur=60&own=x')).html, /id="verdict"><p class="error">The value for “moisture of the grain/);
    assert.match((await page('?grain=corn&ta=25&ur=60&own=%22%3E%3Cb%3E')).html, /name="own"[^>]*value="&quot;&gt;&lt;b&gt;"/);
    assert.match(html, /All 17 grains in this air/);
  });

  test('at the limit one reads the limit, and what is read is what was judged', async () => {
    const start = (await page()).html;
    assert.match(start, /data-verdict="watch"><p class="question">May grain be stored in this air\?<\/p><p class="answer"><b>At the limit, watch it<\/b> Corn at 14\.0\u00a0% moisture and 25\u00a0°C: the air between the kernels has 70\u00a0% humidity; from 65 to 70\u00a0% the first moulds grow\./);
    const verdicts = ['64.94', '64.96', '65', '70', '70.04', '70.06', '79.9', '80'].map(async (ur) => /data-verdict="(\w+)".*?the air between the kernels has ([\d.]+)\u00a0% humidity; ([a-z]+ \d\d)/.exec((await page(`?grain=sunflower&ta=25&ur=${ur}`)).html).slice(1));
    assert.deepEqual(await Promise.all(verdicts), [['safe', '64.9', 'below 65'], ['watch', '65', 'from 65'], ['watch', '65', 'from 65'], ['watch', '70', 'from 65'], ['watch', '70', 'from 65'], ['spoils', '70.1', 'above 70'], ['spoils', '79.9', 'above 70'], ['spoils', '80', 'from 80']]);
    // Grain that the most cautious constants call mouldy is not called safe, and the reason is told.
    assert.match((await page('?grain=long-grain-rice&ta=25&ur=60&own=13.3&ownTa=25')).html, /data-verdict="watch".*?by the most cautious constants it is 7\d(\.\d)?\u00a0%, and above 70\u00a0% moulds grow/);
    assert.match((await page('?grain=corn&ta=25&ur=90&own=30&ownTa=26')).html, /Unless it is dried or cooled, it keeps about 1\.1 days\./);
    // How long it keeps is told of safe grain too, or that nobody has published it.
    assert.match((await page('?grain=corn&ta=25&ur=60&own=13&ownTa=20')).html, /data-verdict="safe".*?It keeps at least 216 days\./);
    assert.match((await page('?grain=sunflower&ta=25&ur=60&lang=es')).html, /data-verdict="safe".*?Ninguna tabla publicada dice cuánto tiempo se conserva\./);
  });

  test('how the answer changes around the point is told', async () => {
    assert.match((await page('?grain=corn&ta=25&ur=70')).html, /Around this point<\/dt><dd><span>\+0\.1\d points for 1 % more humidity<\/span><span>−0\.\d\d points for 1 °C more</);
    assert.match((await page('?grain=wheat&ta=64.4&taUnit=F&moisture=14&lang=pt')).html, /\+\d,\d\d % de umidade relativa para cada ponto percentual a mais de teor de água<\/span><span>\+0,\d\d % de umidade relativa para cada 1 °F a mais</);
    assert.match((await page('?grain=soybean&ta=25&ur=99&lang=pt')).html, /\+\d,\d\d pontos? percentua/);
    assert.doesNotMatch((await page('?grain=corn&ta=25&ur=99.8')).html, /Around this point/);
  });

  test('the chart has the service\'s numbers', async () => {
    for (const query of ['grain=corn&ta=25&ur=70', 'grain=soybean&ta=86&taUnit=F&ur=80&set=chung-pfost-d245.4', 'grain=ear-corn&ta=-10&ur=50', 'grain=wheat&ta=18&moisture=14&lang=pt', 'grain=corn&ta=x&ur=70']) {
      const data = JSON.parse(/data-chart="([^"]*)"/.exec((await page(`?${query}`)).html)[1].replaceAll('&quot;', '"'));
      const wanted = new URLSearchParams(query);
      const asked = data.curves.flatMap((curve) => curve.moisture.map((moisture, i) => ({ moisture, body: { grain: wanted.get('grain'), ta: curve.ta, ur: data.firstUr + i, taUnit: wanted.get('taUnit') ?? 'C', ...(wanted.has('set') ? { set: wanted.get('set') } : {}) } })));
      const answers = await (await fetch(`${service.url}/api/calculate`, { method: 'POST', body: JSON.stringify(asked.map(({ body }) => body)) })).json();
      answers.forEach((answer, i) => {
        if (!answer.ok) return assert.equal(asked[i].moisture, null);
        assert.ok(Math.abs(answer.moisture - asked[i].moisture) <= 0.0551, JSON.stringify(asked[i]));
      });
      const spreads = new Map(answers.filter((a) => a.ok && a.ta === data.curves.at(-1).ta).map((a) => [a.ur, a.spread]));
      for (const [ur, low, high] of data.band) assert.ok(Math.abs(spreads.get(ur).low - low) <= 0.0551 && Math.abs(spreads.get(ur).high - high) <= 0.0551, `${query} ${ur}`);
      assert.equal(data.curves.at(-1).ta, wanted.get('ta') === 'x' ? 25 : Number(wanted.get('ta')));
      if (wanted.get('ta') === 'x') assert.equal(data.point, undefined);
    }
  });

  test('the form sends the names that the page reads', async () => {
    const { html } = await page();
    assert.match(html, /<form id="calc" method="get" action="\.\/">/);
    for (const name of ['grain', 'ta', 'ur', 'moisture', 'taUnit', 'set', 'lang']) assert.match(html, new RegExp(`name="${name}"`), name);
    assert.match(html, /<button class="go" type="submit">/);
  });

  test('keeps what was typed and says what is wrong with it', async () => {
    const wrong = await page('?grain=corn&ta=warm&ur=70');
    assert.equal(wrong.value, '–');
    assert.match(wrong.html, /value="warm" aria-invalid="true"/);
    assert.match(wrong.html, /<p class="error" id="ta-error">Enter a number/);
    assert.match((await page('?grain=corn&ta=25&ur=100')).html, /id="ur-error">The humidity must be above 0 and below 100 %/);
    assert.match((await page('?grain=corn&ta=&ur=70')).html, /id="ta-error">Enter the air temperature/);
    assert.match((await page('?grain=cron')).html, /<li>The grain &#39;cron&#39; is not known; did you mean &#39;corn&#39;/);
  });

  test('a moisture in the query asks for the humidity', async () => {
    const wheat = await page('?grain=wheat&ta=18&moisture=14');
    assert.equal(wheat.value, '64.5');
    assert.match(wheat.html, /<h1 id="heading">Which air keeps the grain as it is\?/);
    assert.match(wheat.html, /id="ur-field" hidden/);
    assert.match(wheat.html, /<input id="ur"[^>]* disabled/);
    assert.doesNotMatch(wheat.html, /<input id="moisture"[^>]* disabled/);
    assert.match(wheat.html, /r = exp\(-A \/ \(T \+ C\) exp\(-B M\)\)/);
    assert.equal((await page('?grain=wheat&ta=18&moisture=14&lang=pt')).value, '64,5');
    assert.equal((await page('?grain=wheat&ta=18&moisture=14&ur=70')).value, '15.0');
    assert.equal((await page('?grain=wheat&ta=18&moisture=14&model=modified-henderson')).value, String((await (await fetch(`${service.url}/api/calculate?grain=wheat&ta=18&moisture=14&model=modified-henderson`)).json()).ur));
    for (const [moisture, message] of [['', 'Enter the moisture of the grain'], ['x', 'Enter a number, such as 14.5'], ['100', 'The moisture must be above 0'], ['99', 'No humidity between 0 and 100 %']]) {
      const { html, value } = await page(`?grain=wheat&ta=18&moisture=${moisture}`);
      assert.equal(value, '–');
      assert.match(html, new RegExp(`id="moisture-error">${message}`));
    }
  });

  test('the links between moisture and humidity keep the point', async () => {
    const there = /<a href="([^"]*)" data-find="ur"/.exec((await page('?grain=wheat&ta=18&ur=64.5&lang=pt')).html)[1].replaceAll('&amp;', '&');
    assert.equal(there, '?grain=wheat&ta=18&moisture=14%2C0&lang=pt');
    const back = /<a href="([^"]*)" data-find="moisture"/.exec((await page(there)).html)[1].replaceAll('&amp;', '&');
    assert.match(back, /^\?grain=wheat&ta=18&ur=64%2C[0-9]&lang=pt$/);
    assert.match((await page('?ta=x')).html, /<a href="\?grain=corn&amp;ta=x&amp;moisture=14&amp;lang=en" data-find="ur"/);
  });

  test('every culture is shown at the same values', async () => {
    for (const query of ['ta=8&ur=85', 'ta=18&moisture=14', 'ta=-25&ur=50', 'ta=46.4&taUnit=F&moisture=9,5']) {
      const { html } = await page(`?grain=corn&${query}`);
      const rows = [...html.matchAll(/<li><a href="([^"]*)" data-grain="([^"]*)"[^>]*>.*?<b>([^<]*)<\/b>.*?<rect width="(\d+)"/g)];
      assert.equal(rows.length, 17);
      for (const [, href, grain, shown, width] of rows) {
        const answer = await (await fetch(`${service.url}/api/calculate${href.replaceAll('&amp;', '&')}`)).json();
        assert.equal(shown, answer.ok ? `${(answer.computed === 'ur' ? answer.ur : answer.moisture).toFixed(1)} %` : '–', `${grain} ${query}`);
        assert.ok(Number(width) >= 0 && Number(width) <= 100);
      }
      assert.equal((html.match(/data-grain="[^"]*" aria-current="true"/g) ?? []).length, 1);
    }
    const odd = await page('?grain=corn&ta=25&ur=70&set=chung-pfost-d245.5');
    assert.match(odd.html, /data-grain="corn" aria-current="true"><span>Corn<\/span><b>13\.5 %/);
    assert.match((await page('?lang=pt')).html, /Amendoim em casca<\/span><small>não confirmado/);
  });

  test('the thirteen cultures and those beyond them are named where they can be seen', async () => {
    for (const [lang, words] of [['en', /<p class="units">Thirteen cultures, and four more/], ['pt', /<p class="units">Treze culturas, e mais quatro/], ['es', /<p class="units">Trece cultivos, y cuatro más/]]) assert.match((await page(`?lang=${lang}`)).html, words);
  });

  test('constants that are alone say by how much they miss measured grain', async () => {
    assert.match((await page('?grain=popcorn&ta=70&taUnit=F&ur=70')).html, /id="spread">There is no second trustworthy set[^<]*off by 0\.8 points/);
    assert.match((await page('?grain=lentils&lang=pt')).html, /id="spread">N[^<]*/);
  });

  test('says when a value is out of range or unconfirmed', async () => {
    const { html } = await page('?grain=ear-corn&ta=1&ur=97');
    assert.equal((/<ul class="notes" id="notes"[^>]*>(.*?)<\/ul>/s.exec(html)[1].match(/<li>/g) ?? []).length, 3);
    assert.match(html, /The humidity is outside 10 to 95 %/);
  });

  test('nothing from the query becomes markup', async () => {
    for (const hostile of ['"><script>alert(1)</script>', "' onfocus='x", '<b>&amp;', '{{moisture}}', '[[a|b]]']) {
      const { html } = await page(`?grain=${encodeURIComponent(hostile)}&ta=${encodeURIComponent(hostile)}&ur=${encodeURIComponent(hostile)}&model=${encodeURIComponent(hostile)}&set=${encodeURIComponent(hostile)}`);
      assert.ok(!html.includes('<script>alert') && !html.includes("' onfocus") && !html.includes('<b>&amp;<'), hostile);
      const inverse = (await page(`?moisture=${encodeURIComponent(hostile)}`)).html;
      assert.ok(!inverse.includes('<script>alert') && !inverse.includes("' onfocus") && !inverse.includes('<b>&amp;<'), hostile);
    }
  });

  test('the table has the service\'s numbers and marks the current cell', async () => {
    const { html } = await page('?grain=wheat&ta=20&ur=65');
    const table = await (await fetch(`${service.url}/api/table?grain=wheat`)).json();
    const rows = [...html.matchAll(/<tr><th scope="row"[^>]*>(-?\d+)<\/th>(.*?)<\/tr>/g)];
    assert.deepEqual(rows.map((row) => Number(row[1])), table.ta);
    rows.forEach((row, i) => assert.deepEqual([...row[2].matchAll(/<td[^>]*>([^<]*)</g)].map((m) => Number(m[1])), table.moisture[i]));
    assert.deepEqual([...html.matchAll(/<td[^>]*aria-current="true"[^>]*>([^<]*)</g)].map((m) => m[1]), ['14.0']);
  });

  test('links reproduce the calculation and the CSV', async () => {
    const { html } = await page('?grain=oats&ta=59&ur=50,5&taUnit=F&set=chung-pfost-d245.5&lang=pt');
    const link = /id="link" href="([^"]*)"/.exec(html)[1].replaceAll('&amp;', '&');
    assert.equal(link, '?grain=oats&ta=59&ur=50%2C5&taUnit=F&set=chung-pfost-d245.5&lang=pt');
    assert.equal((await page(link)).html, html);
    const csv = /id="csv" href="([^"]*)"/.exec(html)[1].replaceAll('&amp;', '&');
    const answer = await fetch(`${service.url}/${csv}`);
    assert.match(await answer.text(), /^ta_F\\ur_%;10;/);
  });
});

describe('language', () => {
  test('by the query, then by Accept-Language, else English', async () => {
    for (const [query, accept, lang] of [
      ['', undefined, 'en'], ['', 'pt-BR,pt;q=0.9,en;q=0.8', 'pt'], ['', 'en-US,en;q=0.9,pt;q=0.8', 'en'], ['', 'de,pt;q=0.5', 'pt'], ['', 'de,fr', 'en'],
      ['', 'pt;q=0.3, en;q=0.7', 'en'], ['', 'es-AR,es;q=0.9,pt;q=0.5', 'es'], ['?lang=es', 'pt', 'es'], ['', 'es;q=0.4,pt;q=0.6', 'pt'], ['?lang=pt', 'en', 'pt'], ['?lang=en', 'pt', 'en'], ['?lang=xx', 'pt', 'pt'], ['', ',;q=,=', 'en'],
    ]) {
      const { html, headers } = await page(query, accept === undefined ? {} : { 'Accept-Language': accept });
      assert.match(html, new RegExp(`<html lang="${lang}">`), `${query} ${accept}`);
      assert.equal(headers.get('content-language'), lang);
      assert.match(headers.get('vary'), /Accept-Language/);
    }
  });

  test('in Portuguese everything is', async () => {
    const { html, value } = await page('?lang=pt&grain=corn&ta=25&ur=70');
    assert.equal(value, '14,0');
    for (const text of ['Teor de água de equilíbrio', 'Temperatura do ar', 'Milho', 'referência técnica', 'contexto do lote', 'Baixar CSV']) assert.ok(html.includes(text), text);
    assert.ok(!/[\[\]{}]{2}/.test(html.replace(/data-chart="[^"]*"/, '')), 'no mark of the template is left');
    assert.ok(!html.includes('Relative humidity'));
  });

  test('no page has words of the other languages', async () => {
    const own = { en: /\b(the|moisture|humidity|grain)\b/i, pt: /\b(umidade|grão|não|teor)\b/i, es: /\b(humedad|grano|cultivo|aire)\b/i };
    for (const lang of ['en', 'pt', 'es']) {
      for (const query of ['grain=corn&ta=25&ur=70', 'grain=corn&ta=60&moisture=14&tool=keeping&keeping-grainTa=20&keeping-moisture=16', 'grain=corn&ta=x&ur=70&tool=air&air-ta=20&air-ur=80&air-fanHeat=2', 'grain=corn&tool=shrink&shrink-from=x']) {
        const { html } = await page(`?lang=${lang}&${query}`);
        // Labels of programs and names of the other languages are not words of the page.
        const text = html.replace(/<nav class="lang"[\s\S]*?<\/nav>|<footer>[\s\S]*?<\/footer>|<option[\s\S]*?<\/option>|<[^>]*>/g, ' ');
        assert.match(text, own[lang]);
        for (const other of ['en', 'pt', 'es'].filter((l) => l !== lang)) assert.doesNotMatch(text, own[other], `${lang} ${query}: ${own[other].exec(text)?.[0]}`);
      }
    }
  });

  test('the sentence about the reference is there in both', async () => {
    assert.match((await page('?lang=en')).html, /technical reference.*context of the batch/);
    assert.match((await page('?lang=pt')).html, /referência técnica.*contexto do lote/);
  });
});

describe('what surrounds it', () => {
  test('a strict policy, and nothing inline or from elsewhere', async () => {
    const { html, headers } = await page();
    const policy = headers.get('content-security-policy');
    assert.match(policy, /default-src 'none'/);
    assert.ok(!policy.includes('unsafe') && !policy.includes('http'));
    assert.ok(!/<script(?![^>]*\bsrc=)/.test(html), 'no inline script');
    assert.ok(!/\son\w+=|\sstyle=|<style/.test(html), 'no inline handler or style');
    assert.ok(!/(?:src|href|action)="(?:https?:)?\//.test(html), 'only relative addresses, so that it works under a sub-path');
    for (const file of ['main.js', 'style.css', 'icon.svg']) {
      const answer = await fetch(`${service.url}/${file}`);
      assert.equal(answer.status, 200, file);
      assert.ok(!/https?:\/\/(?!www\.w3\.org\/)/.test(await answer.text()), `${file} names another host`);
    }
  });
});
