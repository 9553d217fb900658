// What failed jobs say, without the sums in it, for whoever may not read finances. Messages name amounts with their
// currency or with its decimals (kernel/values/money.ts).
import { mayRead } from '#kernel/data/lists/search.ts'
import { raw, sql, type Statement } from '#kernel/values/sql.ts'

/** By the rules that PostgreSQL and JavaScript share. */
const NUMBER = String.raw`\d+(?:[.,]\d+)*`
const CURRENCY = String.raw`[A-Z]{3}(?![A-Za-z])`
const AMOUNT = [
  String.raw`(?:[A-Z]{3} )?${NUMBER}[.,]\d{2,3}(?!\d)(?: ${CURRENCY})?`,
  `${NUMBER} ${CURRENCY}`,
  `[A-Z]{3} ${NUMBER}`,
].join('|')
const HIDDEN = '…'

export const withoutAmounts = (text: string): string => text.replaceAll(new RegExp(AMOUNT, 'g'), HIDDEN)

/** The same of an expression, where the caller of the statement may not read them. */
export const withAmountsIfRead = (text: Statement): Statement =>
  sql`case when ${mayRead('finances')} then ${text} else regexp_replace(${text}, ${raw(`'${AMOUNT}'`)}, ${HIDDEN}, 'g')
    end`
