// What stands far down a page is read when it comes into sight, so that a record with many lists opens with few requests.
import { useInViewport } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'

export function WhenSeen({ children }: { children: ReactNode }) {
  const { ref, inViewport } = useInViewport()
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (inViewport) setSeen(true)
  }, [inViewport])
  // The height keeps several of them from coming into sight at once.
  return isSeen ? children : <div ref={ref} style={{ minHeight: '100vh' }} className="no-print" />
}
