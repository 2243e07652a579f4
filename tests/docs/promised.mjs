// Comparing an answer with what a page shows of it. `…` stands for anything.

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const likeText = (shown) => new RegExp(`^${shown.split('…').map(escape).join('[^]*')}$`);

/** Where a value differs from the one shown. Objects may have more members than are shown; a list that ends with "…" may be longer. */
function differences(shown, actual, at) {
  if (shown === '…') return [];
  if (typeof shown === 'string' && shown.includes('…')) return typeof actual === 'string' && likeText(shown).test(actual) ? [] : [`${at}: ${JSON.stringify(actual)} is not like ${JSON.stringify(shown)}`];
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [`${at} is not a list`];
    const open = shown.at(-1) === '…', items = open ? shown.slice(0, -1) : shown;
    if (open ? actual.length < items.length : actual.length !== items.length) return [`${at} has ${actual.length} items, ${items.length} are shown`];
    return items.flatMap((item, i) => differences(item, actual[i], `${at}[${i}]`));
  }
  if (shown && typeof shown === 'object') {
    if (!actual || typeof actual !== 'object') return [`${at} is no object`];
    return Object.keys(shown).flatMap((name) => (name in actual ? differences(shown[name], actual[name], `${at}.${name}`) : [`${at}.${name} is missing`]));
  }
  return Object.is(shown, actual) ? [] : [`${at} is ${JSON.stringify(actual)}, ${JSON.stringify(shown)} is shown`];
}

/** What differs between the output of a block and the block that shows it. A line `…` stands for any number of lines. */
export function outputDifferences(shown, language, output) {
  if (language === 'json') {
    let actual;
    try {
      actual = JSON.parse(output);
    } catch {
      return [`not JSON: ${output.slice(0, 500)}`];
    }
    return differences(JSON.parse(shown), actual, 'answer');
  }
  const lines = shown.trim().split('\n').map((line) => (line.trim() === '…' ? '(?:.*\\n)*' : `${line.trimEnd().split('…').map(escape).join('.*')}\\n`));
  const actual = `${output.split('\n').map((line) => line.trimEnd()).join('\n').trim()}\n`;
  return new RegExp(`^${lines.join('')}$`).test(actual) ? [] : [`shown:\n${shown}\nprinted:\n${output.slice(0, 2000)}`];
}
