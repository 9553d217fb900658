// An hour of somebody's work in the console: their hands at it, and the API as they and as staff see it.
import { expect } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import { handsAt, type Hands } from '#test/harness/hands.ts'
import type { Visit } from '#test/harness/visit.ts'
import type { Speaker } from '#test/harness/world.ts'
import { DEMO_SIGN_INS } from '../../src/demo/sign-ins.ts'
import type { ConsoleScene } from './console.ts'

export type Hour = { visit: Visit; hands: Hands; api: Speaker }

type Looks = { language: 'pt-BR' | 'en'; width: 360 | 1280; theme: 'light' | 'dark' }

/** A person of the demo with the API in the organization, if it is one. */
export async function speakerOf(app: TestApp, email: string, organization?: number): Promise<Speaker> {
  const { anonymous, speaker } = app.world
  const { data } = await anonymous.post('/auth/login', { email, password: DEMO_SIGN_INS.password })
  const headers = {
    authorization: `Bearer ${data.access_token}`,
    ...(organization !== undefined && { 'x-service-organization': String(organization) }),
  }
  return speaker(headers, { userId: data.user?.id ?? 0, email, token: data.access_token })
}

/** The person at the console, in their language, theme and width. */
export async function hourOf(
  scene: ConsoleScene,
  email: string,
  { organization, language, width, theme }: Looks & { organization?: number },
): Promise<Hour> {
  const api = await speakerOf(scene.app, email, organization)
  expect((await api.put('/auth/me', { language })).status).toBe(200)
  const visit = await scene.visit(email, {
    viewport: { width, height: 800 },
    colorScheme: theme,
    locale: language,
    timezoneId: language === 'en' ? 'America/New_York' : 'America/Sao_Paulo',
  })
  return { visit, hands: handsAt(visit.page), api }
}
