// Outgoing calls, measured where our words end and somebody else's system begins: at the port.

/** `outcome` is what metrics can count: whether the call came back with what it was made for. */
export type Call = { target: string; call: string; outcome: 'ok' | 'error'; seconds: number }
export type ObserveCall = (call: Call) => void

/**
 * The same port, whose methods that return a promise are timed. `isError` is for ports that tell of a failure by their
 * answer.
 */
export function measured<Port extends object>(
  target: string,
  port: Port,
  observe: ObserveCall,
  isError: (answer: unknown) => boolean = () => false,
): Port {
  return new Proxy(port, {
    get(inner, name, receiver) {
      const value: unknown = Reflect.get(inner, name, receiver)
      if (typeof value !== 'function' || typeof name !== 'string') return value
      return (...given: unknown[]) => {
        const began = performance.now()
        const answer: unknown = Reflect.apply(value, inner, given)
        if (!(answer instanceof Promise)) return answer
        const tell = (outcome: Call['outcome']) =>
          observe({ target, call: name, outcome, seconds: (performance.now() - began) / 1000 })
        answer.then(
          (result: unknown) => tell(isError(result) ? 'error' : 'ok'),
          () => tell('error'),
        )
        return answer
      }
    },
  })
}
