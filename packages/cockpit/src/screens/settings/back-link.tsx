// From one thing back to the list that it stands in.
import { ArrowLeft } from 'lucide-react'
import { GoLink } from '../../ui/go-link'

export const BackLink = ({ href, label }: { href: string; label: string }) => (
  <GoLink
    href={href}
    className="-ms-1 inline-flex items-center gap-1.5 justify-self-start rounded-md px-1 py-1 text-muted hover:text-ink max-sm:py-3"
  >
    <ArrowLeft size={15} aria-hidden />
    {label}
  </GoLink>
)
