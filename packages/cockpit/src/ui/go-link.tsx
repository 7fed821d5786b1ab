// A link inside the cockpit: an ordinary one for everybody else, without loading the page anew.
import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

interface GoLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string
}

export function GoLink({ href, onClick, children, ...rest }: GoLinkProps) {
  const { history } = useRouter()
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !isPlain) return
    event.preventDefault()
    history.push(href)
  }
  return (
    <a {...rest} href={href} onClick={go}>
      {children}
    </a>
  )
}
