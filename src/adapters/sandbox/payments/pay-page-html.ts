// The HTML of the sandbox's pay page: no script, one style whose hash the content security policy names.
import { createHash } from 'node:crypto'
import { minorDigits } from '#kernel/values/money.ts'
import type { Company } from './company.ts'
import type { Invoice, InvoiceRecord } from './records.ts'
import { payPageTexts, type PayPageLanguage } from './texts.ts'

export type Notice = 'conflict' | 'invalid'

export type InvoicePage = {
  language: PayPageLanguage
  buyer: string | null
  record: InvoiceRecord
  notice: Notice | null
}

const STYLE = `
:root { color-scheme: light dark; --back: #f3f5f8; --card: #fff; --ink: #16202c; --soft: #566375; --line: #d9dfe7;
  --good: #14713d; --bad: #b3261e; --warn: #7a4a00; --warn-back: #fff3d6; --accent: #1f5fd0; --on-accent: #fff }
@media (prefers-color-scheme: dark) { :root { --back: #10151c; --card: #1a222d; --ink: #e8edf4; --soft: #a3b0c2;
  --line: #344152; --good: #6fd39b; --bad: #ff9d94; --warn: #ffd88a; --warn-back: #3a2d10;
  --accent: #86b1ff; --on-accent: #0c1626 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; padding: 2rem 1rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 0 auto; padding: 1.75rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .75rem }
.sandbox { margin: -1.75rem -1.75rem 1.5rem; padding: .6rem 1.75rem; border-radius: .7rem .7rem 0 0;
  background: var(--warn-back); color: var(--warn); font-size: .9rem }
h1 { margin: 0; font-size: 1.1rem; font-weight: 600 }
.amount { margin: .25rem 0 1rem; font-size: 2.25rem; font-weight: 700; line-height: 1.2;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1.25rem }
dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; margin: 0 0 1.25rem; font-size: .95rem }
th, td { padding: .5rem 0 .5rem .75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
th:first-child, td:first-child { padding-left: 0; overflow-wrap: anywhere }
thead th { color: var(--soft); font-weight: 500 }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.state { margin: 0 0 1.25rem; padding: .75rem 1rem; border: 1px solid; border-left-width: .3rem;
  border-radius: .4rem; font-weight: 600 }
.open { color: var(--soft) } .paid { color: var(--good) } .failed, .void { color: var(--bad) }
.notice { color: var(--warn) }
fieldset { margin: 0; padding: 0; border: 0 } legend { padding: 0; margin-bottom: .75rem; font-weight: 600 }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem }
button { flex: 1 1 12rem; min-height: 2.9rem; padding: .5rem 1rem; border: 2px solid var(--accent);
  border-radius: .5rem; background: transparent; color: var(--accent); font: inherit; font-weight: 600;
  cursor: pointer }
a { color: var(--accent) }
button.pay { background: var(--accent); color: var(--on-accent) }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
`

export const PAY_PAGE_STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`

export function invoicePage(company: Company, { language, buyer, record, notice }: InvoicePage): string {
  const texts = payPageTexts[language]
  const invoice = record.object
  const currency = invoice.currency.toUpperCase()
  const money = (minor: number) => escape(displayMoney(language, company.amountOf(minor, currency), currency))
  const state = pageState(record)
  const number = invoice.custom_fields?.[0]?.value ?? invoice.number ?? invoice.id
  return document(
    language,
    `<h1>${texts.title}</h1>
<p class="amount">${money(invoice.total)}</p>
${notice ? `<p class="state notice" role="alert">${texts[notice]}</p>` : ''}
<p class="state ${state}" role="status" data-state="${state}">${texts[state]}</p>
<dl>
<dt>${texts.seller}</dt><dd>${escape(company.seller)}</dd>
<dt>${texts.invoice}</dt><dd>${escape(number)}${buyer === null ? '' : ` · ${escape(buyer)}`}</dd>
<dt>${texts.amount}</dt><dd>${money(invoice.total)} (${escape(currency)})</dd>
</dl>
${linesTable(language, invoice, money)}
${invoice.status === 'open' ? form(language) : ''}
<p><a href="/">${texts.start}</a></p>`,
  )
}

/** The state that the page shows; `failed` is an open invoice whose last attempt failed. */
export function pageState({ object, is_declined }: InvoiceRecord): 'open' | 'failed' | 'paid' | 'void' {
  if (object.status === 'paid') return 'paid'
  if (object.status === 'open') return is_declined ? 'failed' : 'open'
  return 'void'
}

export function missingPage(language: PayPageLanguage): string {
  const texts = payPageTexts[language]
  return document(language, `<h1>${texts.title}</h1>\n<p class="state void" role="status">${texts.missing}</p>`)
}

function linesTable(language: PayPageLanguage, invoice: Invoice, money: (minor: number) => string): string {
  const texts = payPageTexts[language]
  const rows = invoice.lines.data.map(
    ({ description, amount }) => `<tr><td>${escape(description)}</td><td class="number">${money(amount)}</td></tr>`,
  )
  return `<table>
<thead><tr><th scope="col">${texts.item}</th><th scope="col" class="number">${texts.total}</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table>`
}

export function methodsPage(
  language: PayPageLanguage,
  { name, last4, return_url }: { name: string | null; last4: string; return_url: string },
): string {
  const texts = payPageTexts[language]
  return document(
    language,
    `<h1>${texts.methods}</h1>
<dl>
<dt>${texts.customer}</dt><dd>${escape(name ?? '')}</dd>
<dt>${texts.card}</dt><dd>•••• ${escape(last4)}</dd>
</dl>
<form method="post"><div class="buttons"><button class="pay">${texts.replaceCard}</button></div></form>
<p><a href="${escape(return_url)}">${texts.back}</a></p>`,
  )
}

/** A form without an action posts to its page's address. */
function form(language: PayPageLanguage): string {
  const texts = payPageTexts[language]
  return `<form method="post"><fieldset><legend>${texts.choose}</legend><div class="buttons">
<button class="pay" name="outcome" value="paid">${texts.pay}</button>
<button name="outcome" value="failed">${texts.fail}</button>
</div></fieldset></form>`
}

function document(language: PayPageLanguage, content: string): string {
  const texts = payPageTexts[language]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="sandbox">${texts.sandbox}</p>
${content}
</main>
</body>
</html>
`
}

function displayMoney(language: PayPageLanguage, amount: string, currency: string): string {
  const digits = minorDigits(currency)
  const style = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return isNumeric(amount) ? new Intl.NumberFormat(language, style).format(amount) : amount
}

function isNumeric(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text)
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
