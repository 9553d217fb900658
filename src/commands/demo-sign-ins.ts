// The sign-ins of the demo, which are public.
import type { DemoSignIns } from '../server/local-only.ts'

export const DEMO_SIGN_INS: DemoSignIns = { password: 'demo-titular-2026', staff: 'staff@titular.example' }
