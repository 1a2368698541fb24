defmodule App.Counter do
  @moduledoc "Counts."
  use GenServer
  alias App.Store
  import Enum, only: [map: 2]

  @limit 10

  @doc "Adds one."
  def add(n) when n > 0 do
    Store.put(n + 1)
    private(n)
  end

  defp private(n), do: n
end
