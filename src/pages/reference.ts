// /docs: the operations, as text that is there at once, until the script has drawn the reference in its place.
import { textsIn } from '../texts/catalogue.ts'
import { template } from '../texts/template.ts'
import type { Language } from '../texts/language.ts'

// The script is somebody else's, and makes its own styles.
export const REFERENCE_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' " +
  "data: blob:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
export const SCRIPT_OF_REFERENCE = '/docs/js/scalar.js'

/** A T, for the tab of the browser. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' " +
  "rx='3' fill='%230b6'/%3E%3Cpath d='M4 4h8v2H9v6H7V6H4z' fill='%23fff'/%3E%3C/svg%3E"

const CONFIGURATION = {
  withDefaultFonts: false,
  telemetry: false,
  authentication: { preferredSecurityScheme: 'bearer' },
  // No tools of the page's maker, and nothing that calls another host.
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
  sources: [
    { title: 'Portal', slug: 'portal', url: '/openapi-portal.json' },
    { title: 'Vendor', slug: 'vendor', url: '/openapi-vendor.json' },
    { title: 'All', slug: 'all', url: '/openapi.json' },
  ],
}

export type AreaInReference = {
  name: string
  description: string
  operations: { method: string; path: string; summary: string }[]
}

export function referencePage(
  { language, brand }: { language: Language; brand: string },
  areas: readonly AreaInReference[],
): string {
  const texts = textsIn(language).pages.reference
  const data = { script: SCRIPT_OF_REFERENCE, icon: ICON, configuration: JSON.stringify(CONFIGURATION) }
  return page({ ...texts, ...data, language, brand, areas })
}

type Names = 'language' | 'brand' | 'title' | 'lead' | 'parts' | 'home' | 'icon' | 'script' | 'configuration'
type Page = Record<Names, string> & { areas: readonly AreaInReference[] }

const page = template<Page>(`
<!doctype html>
<html lang="<%= it.language %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title><%= it.title %> · <%= it.brand %></title>
<link rel="icon" href="<%= it.icon %>">
<style>
.plain { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
.plain li { list-style: none; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { body { background: #0f0f0f; color: #e7e7e7; } .plain a { color: #7db7ff; } }
</style>
</head>
<body>
<div id="app"><main class="plain">
<h1><%= it.title %></h1>
<p><%= it.lead %></p>
<p><a href="/"><%= it.home %></a> · <%= it.parts %> <a href="/openapi-portal.json">openapi-portal.json</a>
<a href="/openapi-vendor.json">openapi-vendor.json</a>
<a href="/openapi.json">openapi.json</a></p>
<% for (const area of it.areas) { %>
<section lang="en">
<h2><%= area.name %></h2>
<p><%= area.description %></p>
<ul>
<% for (const one of area.operations) { %>
<li><code><%= one.method %> <%= one.path %></code> <%= one.summary %></li>
<% } %>
</ul>
</section>
<% } %>
</main></div>
<script src="<%= it.script %>" defer></script>
<script>
addEventListener('DOMContentLoaded', () => window.Scalar?.createApiReference('#app', <%~ it.configuration %>))
</script>
</body>
</html>
`)
