// The names of payment methods, as settings list them. Most are brands, which have the same name in each language.
type Names = Readonly<Record<string, string>>

const BRANDS = {
  boleto: 'Boleto',
  pix: 'Pix',
  link: 'Link',
  acss_debit: 'PAD (Canada)',
  affirm: 'Affirm',
  alipay: 'Alipay',
  amazon_pay: 'Amazon Pay',
  au_becs_debit: 'BECS (Australia)',
  bacs_debit: 'Bacs',
  bancontact: 'Bancontact',
  billie: 'Billie',
  blik: 'BLIK',
  cashapp: 'Cash App Pay',
  crypto: 'Crypto',
  eps: 'EPS',
  fpx: 'FPX',
  giropay: 'giropay',
  grabpay: 'GrabPay',
  ideal: 'iDEAL',
  kakao_pay: 'Kakao Pay',
  klarna: 'Klarna',
  konbini: 'Konbini',
  mb_way: 'MB WAY',
  multibanco: 'Multibanco',
  naver_pay: 'Naver Pay',
  nz_bank_account: 'BECS (New Zealand)',
  p24: 'Przelewy24',
  pay_by_bank: 'Pay by Bank',
  payco: 'PAYCO',
  paynow: 'PayNow',
  paypal: 'PayPal',
  payto: 'PayTo',
  promptpay: 'PromptPay',
  revolut_pay: 'Revolut Pay',
  satispay: 'Satispay',
  sequra: 'seQura',
  sofort: 'Sofort',
  swish: 'Swish',
  twint: 'TWINT',
  upi: 'UPI',
  wechat_pay: 'WeChat Pay',
} as const

const en: Names = {
  ...BRANDS,
  card: 'Card',
  ach_credit_transfer: 'ACH transfer (USA)',
  ach_debit: 'ACH debit, older (USA)',
  custom: 'A method of your own',
  customer_balance: 'Bank transfer',
  jp_credit_transfer: 'Bank transfer (Japan)',
  kr_card: 'Card (South Korea)',
  sepa_credit_transfer: 'SEPA transfer',
  sepa_debit: 'SEPA direct debit',
  us_bank_account: 'ACH debit (USA)',
}

const ptBr: typeof en = {
  ...BRANDS,
  card: 'Cartão',
  acss_debit: 'PAD (Canadá)',
  au_becs_debit: 'BECS (Austrália)',
  nz_bank_account: 'BECS (Nova Zelândia)',
  ach_credit_transfer: 'Transferência ACH (EUA)',
  ach_debit: 'Débito ACH anterior (EUA)',
  crypto: 'Criptomoeda',
  custom: 'Um meio próprio',
  customer_balance: 'Transferência bancária',
  jp_credit_transfer: 'Transferência bancária (Japão)',
  kr_card: 'Cartão (Coreia do Sul)',
  sepa_credit_transfer: 'Transferência SEPA',
  sepa_debit: 'Débito SEPA',
  us_bank_account: 'Débito ACH (EUA)',
}

/** All methods, the usual ones first. */
export const PAYMENT_METHODS: readonly string[] = [
  ...new Set(['card', 'boleto', 'pix', 'customer_balance', 'sepa_debit', 'us_bank_account', ...Object.keys(en)]),
]

const asValues = (names: Names): Names =>
  Object.fromEntries(Object.entries(names).map(([method, name]) => [`payment_methods.${method}`, name]))

/** As the values of a setting are named. */
export const methodNames = { en: asValues(en), 'pt-BR': asValues(ptBr) }
