// Where the keyboard is: what had the focus and is gone, as with a dialog that closes, gives it back to what opened that,
// else to the heading. A screen that is new has it on its heading, and names the window.

/** What had the focus, and what had it before the dialog or the menu around it opened. */
type Spot = { element: HTMLElement; popup: HTMLElement | null; opener: Spot | null }

const POPUPS = '[role=dialog], [role=menu], [role=listbox]'

const FIELDS = 'input:enabled, textarea:enabled, select:enabled'
const WRONG = '[aria-invalid=true]'

const canHold = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true })

/** A button is disabled while its act runs. */
const isBusy = ({ element }: Spot): boolean => element.isConnected && element.matches('[data-loading]')

const headingOf = (): HTMLElement | null => document.querySelector<HTMLElement>('main h1')

/** The same again, where a part was drawn anew. */
const twinOf = ({ id }: HTMLElement): Element | null =>
  id === '' ? null : document.querySelector(`#${CSS.escape(id)}`)

function goalOf(spot: Spot): HTMLElement | null {
  for (let one: Spot | null = spot; one; one = one.opener) {
    const field = one.element.isConnected ? one.element.closest('form')?.querySelector(FIELDS) : null
    for (const goal of [one.element, twinOf(one.element), field ?? null, one.popup]) if (canHold(goal)) return goal
  }
  return headingOf() ?? document.querySelector('main')
}

function focus(element: HTMLElement | null): void {
  if (element?.matches('h1')) element.tabIndex = -1
  element?.focus({ preventScroll: true })
}

/** Begins to watch; gives what ends it. `nameOf` makes the name of the window of that of the screen. */
export function keepFocus(nameOf: (screen: string) => string): () => void {
  let last: Spot | null = null
  let isLost = false
  let path = location.pathname
  let heading = headingOf()
  /** Until the screen of the new address is there, or somebody has gone on by themselves. */
  let isArriving = false
  let wrong: ReadonlySet<HTMLElement> = new Set()
  const openers = new WeakMap<HTMLElement, Spot>()

  function note(element: HTMLElement): void {
    const popup = element.closest<HTMLElement>(POPUPS)
    if (popup && last && last.popup !== popup && !openers.has(popup)) openers.set(popup, last)
    last = { element, popup, opener: (popup && openers.get(popup)) ?? null }
    isLost = false
  }
  function settle(): void {
    const now = headingOf()
    const name = nameOf(now?.textContent ?? '')
    if (document.title !== name) document.title = name
    if (location.pathname !== path) {
      path = location.pathname
      isArriving = last !== null
    }
    const isNew = now !== heading
    if (now) heading = now
    if (isArriving && isNew && now && !document.querySelector('[role=dialog]')) {
      isArriving = false
      return focus(now)
    }
    if (last === null || (document.activeElement ?? document.body) !== document.body) return
    if (!isLost && canHold(last.element)) return
    isLost = true
    if (!isBusy(last)) focus(goalOf(last))
  }
  /** What was refused is corrected from its first field on. */
  function toWrong(): void {
    const before = wrong
    wrong = new Set(document.querySelectorAll<HTMLElement>(WRONG))
    for (const one of wrong)
      if (!before.has(one)) return focus(one.closest('form')?.querySelector<HTMLElement>(WRONG) ?? one)
  }
  function onChanges(): void {
    toWrong()
    settle()
  }
  const onFocus = ({ target }: Event): void => void (target instanceof HTMLElement && note(target))
  // Some browsers do not focus a button that is clicked.
  const onClick = ({ target }: Event): void => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>('button, a[href]') : null
    if (pressed) note(pressed)
  }
  const onHands = (): void => void (isArriving = false)
  const onBlur = (): void => void setTimeout(settle)

  const observer = new MutationObserver(onChanges)
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['disabled', 'aria-invalid'],
  })
  // Who gives the brand its name again.
  observer.observe(document.head, { subtree: true, childList: true })
  const listeners = { focusin: onFocus, focusout: onBlur, click: onClick, keydown: onHands, pointerdown: onHands }
  for (const [name, listen] of Object.entries(listeners)) document.addEventListener(name, listen, true)
  settle()
  return () => {
    observer.disconnect()
    for (const [name, listen] of Object.entries(listeners)) document.removeEventListener(name, listen, true)
  }
}
