// Package static takes the place of OpenBao's static seal, which no registry serves at the version that OpenBao 2.4 asks for.
package static

import (
	"context"
	"errors"

	wrapping "github.com/openbao/go-kms-wrapping/v2"
)

// Wrapper cannot be configured: the seals of our tests are Shamir's.
type Wrapper struct{ wrapping.Wrapper }

func NewWrapper() *Wrapper { return &Wrapper{} }

func (*Wrapper) SetConfig(context.Context, ...wrapping.Option) (*wrapping.WrapperConfig, error) {
	return nil, errors.New("this build of OpenBao has no static seal")
}
