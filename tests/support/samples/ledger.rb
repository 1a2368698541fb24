require 'json'
require_relative 'lib/store'

module Accounting
  RATE = 0.2

  # Keeps entries.
  class Ledger < Store::Base
    include Enumerable
    attr_reader :entries

    def initialize(name)
      @name = name
    end

    # Adds one entry.
    def add(entry)
      validate!(entry)
      entries.push(entry.fetch(:amount) * RATE)
    end

    def self.open(path)
      new(JSON.parse(path))
    end

    class << self
      def reset; end
    end
  end
end

def helper
  Accounting::Ledger.open('x')
end
