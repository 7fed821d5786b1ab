// An address that leads nowhere.
import { Compass } from 'lucide-react'
import { text } from '../text'
import { GoLink } from '../ui/go-link'
import { Empty } from '../ui/states'

export function NotFound() {
  const home = (
    <GoLink href="/" className="font-medium text-accent underline">
      {text.goHome}
    </GoLink>
  )
  return (
    <main>
      <Empty icon={<Compass size={20} />} title={text.notFound.title} action={home}>
        {text.notFound.body}
      </Empty>
    </main>
  )
}
