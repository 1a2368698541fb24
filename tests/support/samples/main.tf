variable "region" {
  default = "eu"
}

resource "aws_bucket" "logs" {
  bucket = var.region
  tags   = merge(local.tags, {})
}

locals {
  tags = { a = 1 }
}
