// A click that opens an address in this window; any other is the browser's, which may open a new one.
import type { MouseEvent } from 'react'

export const isPlainClick = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  !metaKey && !ctrlKey && !shiftKey && !altKey
