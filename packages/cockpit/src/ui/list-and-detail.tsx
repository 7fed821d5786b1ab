// A list beside what is chosen in it. On a phone one of the two is seen, and a way leads back to the list.
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { text } from '../text'
import { GoLink } from './go-link'

interface ListAndDetailProps {
  readonly label: string
  readonly list: ReactNode
  /** Something is chosen: that is what a phone shows. */
  readonly isChosen: boolean
  readonly children: ReactNode
}

export const ListAndDetail = ({ label, list, isChosen, children }: ListAndDetailProps) => (
  <div className="flex min-h-0 flex-1">
    <section
      aria-label={label}
      className={`flex w-full shrink-0 flex-col border-e border-line sm:w-72 xl:w-80 ${isChosen ? 'max-sm:hidden' : ''}`}
    >
      {list}
    </section>
    <div className={`flex min-w-0 flex-1 flex-col ${isChosen ? '' : 'max-sm:hidden'}`}>{children}</div>
  </div>
)

/** Back to the list, where the list is out of sight. */
export const BackToList = ({ href }: { href: string }) => (
  <GoLink href={href} aria-label={text.back} className="-ms-2 rounded-md p-2 text-muted hover:bg-hover sm:hidden">
    <ArrowLeft size={18} aria-hidden />
  </GoLink>
)
