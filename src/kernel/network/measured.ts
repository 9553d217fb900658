// Measures outgoing calls at the port, whichever adapter makes them.

/** `outcome` says whether the call reached its purpose. */
type Call = { target: string; call: string; outcome: 'ok' | 'error'; seconds: number }
export type ObserveCall = (call: Call) => void

/**
 * Wraps a port so that its methods that return a promise are timed. `isError` is for ports whose answers can mean a
 * failure.
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
      return (...parameters: unknown[]) => {
        const began = performance.now()
        const answer: unknown = Reflect.apply(value, inner, parameters)
        if (!(answer instanceof Promise)) return answer
        const report = (outcome: Call['outcome']) =>
          observe({ target, call: name, outcome, seconds: (performance.now() - began) / 1000 })
        answer.then(
          (result: unknown) => report(isError(result) ? 'error' : 'ok'),
          () => report('error'),
        )
        return answer
      }
    },
  })
}
