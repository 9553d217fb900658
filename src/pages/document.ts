// The frame of every page: one inlined stylesheet, scripts with a nonce, nothing from other hosts.

import { readFileSync } from 'node:fs'
import { type Brand, mixed, shadesOf } from '../texts/brand.ts'
import { textsIn } from '../texts/catalogue.ts'
import type { Language } from '../texts/language.ts'
import { template } from '../texts/template.ts'

export type PageContext = {
  language: Language
  /** New for each answer, and the same as in its Content-Security-Policy. */
  nonce: string
  /** Of the legal entity that the page is about. */
  brand: Brand
}

/** The console, or the vendor's own portal. */
export type Destination = { portalUrl: string }

export type PageContent = {
  title: string
  /** HTML made by a template, so it is escaped already. */
  body: string
  wide?: boolean
  /** Files of browser/, without extension; they share one scope and read `data`. */
  scripts?: readonly ScriptName[]
  data?: object
}

export type ScriptName =
  | 'form'
  | 'new-password'
  | 'verify-account'
  | 'reset-password'
  | 'undo-email-change'
  | 'end-sessions'
  | 'invites'
  | 'sso'
  | 'times'

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8')
const SCRIPTS = {
  form: script('form'),
  'new-password': script('new-password'),
  'verify-account': script('verify-account'),
  'reset-password': script('reset-password'),
  'undo-email-change': script('undo-email-change'),
  'end-sessions': script('end-sessions'),
  invites: script('invites'),
  sso: script('sso'),
  times: script('times'),
} satisfies Record<ScriptName, string>

export function page(context: PageContext, content: PageContent): string {
  const names = content.scripts ?? []
  return frame({
    ...context,
    title: content.title,
    body: content.body,
    className: content.wide ? 'wide' : '',
    noScript: textsIn(context.language).pages.noScript,
    support: textsIn(context.language).pages.support,
    style: STYLE + colorsOf(context.brand.color),
    data: names.length > 0 ? jsonForScript({ language: context.language, ...content.data }) : '',
    script: names.map((name) => SCRIPTS[name]).join('\n'),
  })
}

/** Only colors, which a brand cannot have otherwise than as six digits. */
function colorsOf(color: string): string {
  const { text, onLight, onDark } = shadesOf(color)
  const strong = mixed(color, text === '#ffffff' ? '#000000' : '#ffffff', 0.15)
  const light = { accent: onLight, button: color, strong, 'on-button': text }
  const dark = { accent: onDark, button: onDark, strong: mixed(onDark, '#ffffff', 0.2), 'on-button': '#000000' }
  return `${rule(light)}\n@media (prefers-color-scheme: dark){${rule(dark)}}\n`
}

const rule = (shades: object): string =>
  `:root{${Object.entries(shades)
    .map(([name, shade]) => `--${name}:${shade}`)
    .join(';')}}`

/**
 * `form` and `mail`: pages whose forms are sent without a script; the frame of a mail sends none. `console`: scripts
 * and styles are files of the build.
 */
export type PageKind = 'page' | 'form' | 'mail' | 'console'

/**
 * Allows only what the pages need. A mail is shown in a frame without scripts that inherits this policy, and mails have
 * inline styles: so `mail` allows styles without a nonce.
 */
export function contentSecurityPolicy(nonce: string, kind: PageKind = 'page'): string {
  if (kind === 'console') return `${CONSOLE_POLICY}; style-src 'self' 'nonce-${nonce}'`
  const style = kind === 'mail' ? "style-src 'unsafe-inline'" : `style-src 'nonce-${nonce}'`
  // The logo of a mail is at an address; only the sandbox shows mails.
  const image = kind === 'mail' ? "img-src data: 'self'" : 'img-src data:'
  const own = `default-src 'none'; script-src 'nonce-${nonce}'; ${style}; connect-src 'self'; ${image}`
  const target = kind === 'page' ? "'none'" : "'self'"
  return `${own}; base-uri 'none'; form-action ${target}; frame-ancestors 'none'`
}

/** The nonce is for the styles that its parts write as they are shown; pictures are drawn, or come from the API. */
const CONSOLE_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

type Frame = PageContext &
  Record<'title' | 'body' | 'className' | 'noScript' | 'support' | 'style' | 'data' | 'script', string>

const frame = template<Frame>(`
<!doctype html>
<html lang="<%= it.language %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title><%= it.title %> · <%= it.brand.name %></title>
<link rel="icon" href="data:,">
<style nonce="<%= it.nonce %>"><%~ it.style %></style>
</head>
<body<% if (it.className) { %> class="<%= it.className %>"<% } %>>
<header><a href="/">
<% if (it.brand.logo) { %>
<img src="<%= it.brand.logo %>" alt="<%= it.brand.name %>">
<% } else { %>
<bdi><%= it.brand.name %></bdi>
<% } %>
</a></header>
<main><div class="card">
<%~ it.body %>
<% if (it.script) { %><noscript><p class="notice"><%= it.noScript %></p></noscript><% } %>
</div></main>
<% if (it.brand.supportUrl) { %>
<footer><a href="<%= it.brand.supportUrl %>" rel="noreferrer"><%= it.support %></a></footer>
<% } %>
<% if (it.script) { %>
<script type="application/json" id="page-data"><%~ it.data %></script>
<script type="module" nonce="<%= it.nonce %>">
<%~ it.script %>
</script>
<% } %>
</body>
</html>
`)

/** The inlined files share one scope, so their imports and exports are removed. */
function script(name: ScriptName): string {
  const source = readFileSync(new URL(`browser/${name}.js`, import.meta.url), 'utf8')
  return source.replace(/^import \{[^}]*\} from '.\/[\w-]+.js'\n/gm, '').replace(/^export /gm, '')
}

/** JSON that cannot end the element it stands in. */
function jsonForScript(value: object): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
}
