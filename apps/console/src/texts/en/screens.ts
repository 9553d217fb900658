// What the screens say, in English.

export const app = {
  staff: 'All customers',
  home: 'Home',
  skip: 'Skip to the content',
  menu: 'Menu',
  organization: 'Organization',
  company: 'Legal entity',
  companyOfCountry: 'As the country says',
  language: 'Language',
  signOut: 'Sign out',
  noOrganization: 'You are in no organization yet. Ask a colleague for an invite.',
  notFound: 'There is no such page.',
  toHome: 'Go home',
  account: 'Your account',
}

export const signIn = {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  forgotten: 'Forgot the password?',
  code: 'Code of your authenticator app',
  codeHelp: 'Six digits, or one of your recovery codes.',
  continue: 'Continue',
  back: 'Begin again',
  sent: 'If the address has an account, a mail with a link is on its way.',
  needsEmail: 'Enter your e-mail address first.',
  ended: 'Your session has ended. Sign in again; what you have written is still here.',
  what: 'Your customers’ accounts in one place',
  about:
    'Quotes, orders, invoices, NFS-e, licenses, environments, services and tickets of business customers: what each of them has, what it costs, what is due, and who may do what.',
  or: 'or',
  passkey: 'Use a passkey',
  noPasskey: 'No passkey was used. Try again, or enter your password.',
  signOn: 'Single sign-on of my company',
  demo: 'Look around in the demo as',
  help: 'Help',
}

export const home = {
  title: 'What needs you',
  nothing: 'Nothing waits for you.',
  due: 'until {day}',
  more: 'and more',
  waits: 'What waits for staff',
  runs: 'What you have',
  tickets: 'Open tickets',
  count: '{count} waiting',
  all: 'See all',
}

export const list = {
  empty: 'There is nothing here yet.',
  nothingFound: 'Nothing fits these filters.',
  clear: 'Take the filters away',
  columns: 'Columns',
  search: 'Search',
  sort: 'Sort by',
  newest: 'Newest first',
  descending: '{field}, last first',
  count: '{count} in all',
  page: 'Page {page}',
  previous: 'Previous page',
  next: 'Next page',
  more: 'Show more',
  slots: '{used} of {limit} in use',
  mine: 'Only mine',
  chosen: 'Chosen rows',
  chosenCount: '{count} chosen',
  chooseNone: 'Choose none',
  chooseAll: 'Choose all of this page',
  choose: 'Choose',
}

export const record = {
  overTime: 'Over time',
  lines: 'Lines',
  quantity: 'Quantity',
  line: 'What',
  amount: 'Amount',
  comments: 'Conversation',
  comment: 'Your answer',
  send: 'Send',
  internal: 'internal',
  details: 'Details',
  running: 'It goes on by itself, also when you leave this page.',
}

export const act = {
  cancel: 'Not now',
  working: 'One moment …',
  tryAgain: 'Try again',
  once: 'This is shown once. Keep it somewhere safe now.',
  kept: 'I have kept it',
  copy: 'Copy',
  copied: 'Copied',
  preview: 'Show what follows',
  follows: 'What would follow',
  nothingFollows: 'Nothing else changes.',
  yes: 'Yes',
  no: 'No',
  asked: 'What others are asked for',
  isNew: 'new',
  menu: 'Acts',
}

export const problems = {
  offline: 'The service cannot be reached. What you have written is still here; try again in a moment.',
  waiting: 'No answer yet. It is asked again by itself in {seconds} s.',
  busy: 'The service is busy. Try again in a moment.',
  notFound: 'There is no such record, or it is not yours to see.',
  forbidden: 'This is not yours to see or to do. {who}',
  changed:
    'Somebody has changed it meanwhile. Below is what is another now; what you typed is still here. Send it again if it shall count.',
  wrong: 'Something went wrong.',
  entry: 'Say why you enter this organization',
  enter: 'Enter',
  reason: 'Reason',
  request: 'Request {id}',
  why: 'Say why: this act is written down with its reason.',
}

export const waiting = {
  quote_to_accept: 'Quotes to accept',
  invoice_to_pay: 'Invoices to pay',
  ticket_to_answer: 'Tickets that wait for you',
  delivery_to_accept: 'Deliveries to accept',
  domain_to_verify: 'Domains to prove',
}
