import React, { useState } from 'react'
import { Button } from './button'

type PanelProps = { title: string }

// Shows a title.
export function Panel({ title }: PanelProps) {
  const [open, setOpen] = useState(false)
  const toggle = () => setOpen(!open)
  return (
    <section>
      <Button onClick={toggle} label={title} />
    </section>
  )
}

export const Memo = React.memo(function Inner(props: PanelProps) {
  return <Panel {...props} />
})

export default Panel
